/** Controls a load on Quarry, which consists of several kinds of work. Each kind is repeated until `stop` is called. */
export interface Load {
  /** Number of completed repetitions so far, keyed by kind of work. */
  readonly done: Readonly<Record<string, number>>;
  /** The errors, each with the kind of work and the number of the repetition that failed. */
  readonly failures: readonly string[];
  /** Stops the load. Resolves when the work in progress has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a load on Quarry. All kinds of work run in parallel, and the repetitions of each kind run one after the other.
 * After its first error, a kind of work is not repeated.
 */
export function startParallelLoad(kinds: Readonly<Record<string, (turn: number) => Promise<void>>>): Load {
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
      failures.push(`${name} ${(done[name] ?? 0) + 1}: ${describeErrorWithCauses(error)}`);
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

/** Formats an error with all its causes, because the message of an error of `fetch` does not contain the reason. */
function describeErrorWithCauses(error: unknown): string {
  const cause =
    error instanceof Error && error.cause !== undefined ? `, because of ${describeErrorWithCauses(error.cause)}` : '';
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `${String(error)}${code}${cause}`;
}
