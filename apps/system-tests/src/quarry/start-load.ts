/** Work that is repeated until it is stopped. */
export interface Load {
  /** The number of completions by kind of work. */
  readonly done: Readonly<Record<string, number>>;
  /** The errors, each with its kind of work. */
  readonly failures: readonly string[];
  /** Stops the load; resolves when the work in progress has ended. */
  stop(): Promise<void>;
}

/** Repeats each kind of work sequentially, and all kinds in parallel. A failed kind is not repeated. */
export function startLoad(kinds: Readonly<Record<string, (turn: number) => Promise<void>>>): Load {
  const done: Record<string, number> = {};
  const failures: string[] = [];
  let stopped = false;
  const repeatWork = async (name: string, work: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 1; !stopped; turn += 1) {
      await work(turn);
      done[name] = turn;
    }
  };
  const running = Object.entries(kinds).map(async ([name, work]) => {
    done[name] = 0;
    await repeatWork(name, work).catch((error: unknown) => {
      failures.push(`${name} ${(done[name] ?? 0) + 1}: ${describeFailure(error)}`);
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

/** Describes an error with its causes. The message of `fetch` does not contain the reason. */
function describeFailure(error: unknown): string {
  const cause =
    error instanceof Error && error.cause !== undefined ? `, because of ${describeFailure(error.cause)}` : '';
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `${String(error)}${code}${cause}`;
}
