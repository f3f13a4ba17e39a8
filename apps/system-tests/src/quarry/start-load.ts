/** Work that is repeated until it is told to end. */
export interface Load {
  /** How often each kind of work was done, by its name. */
  readonly done: Readonly<Record<string, number>>;
  /** What was thrown, with the kind before it. */
  readonly failures: readonly string[];
  /** Resolves when what was under way has ended. */
  stop(): Promise<void>;
}

/** Does each kind of work over and over, one after the other, all kinds side by side. A kind that failed is not tried again. */
export function startLoad(kinds: Readonly<Record<string, (turn: number) => Promise<void>>>): Load {
  const done: Record<string, number> = {};
  const failures: string[] = [];
  let stopped = false;
  const repeat = async (name: string, work: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 1; !stopped; turn += 1) {
      await work(turn);
      done[name] = turn;
    }
  };
  const running = Object.entries(kinds).map(async ([name, work]) => {
    done[name] = 0;
    await repeat(name, work).catch((error: unknown) => {
      failures.push(`${name} ${(done[name] ?? 0) + 1}: ${String(error)}`);
    });
  });
  return {
    done,
    failures,
    async stop() {
      stopped = true;
      await Promise.all(running);
    },
  };
}
