import { setTimeout as pause } from 'node:timers/promises';
import type { QuarryClient } from '@quarry/client';
import { OUTSIDERS, type Conduct, type Outsider, type OutsideWorld } from './outside-world.js';
import { signal, suspend, type RunningProcess } from './list-processes.js';
import type { Random } from './random.js';

/** Something that goes wrong and is over after a while. */
export interface Fault {
  /** Such as `kill quarry`. */
  readonly name: string;
  /** Faults of one target happen one after the other. */
  readonly target: string;
  /** What does not work meanwhile and does not belong to Quarry. */
  readonly outsider?: Outsider;
  /** Causes it; resolves when it is over and everything runs again. */
  cause(random: Random): Promise<void>;
}

/** A Quarry whose processes can be harmed. */
export interface FragileStack {
  readonly title: string;
  readonly faults: readonly Fault[];
  /** Kinds of faults that this machine cannot cause, with the reason. */
  readonly unavailable: readonly string[];
  /** Returns a client for where Quarry is now. */
  connect(): QuarryClient;
  /** Resolves when Quarry is ready. @throws Violation when it is not in bounded time */
  verifyRuns(): Promise<void>;
  /** @throws Violation when a process has ended by itself */
  verifyAlive(): void;
  /** Lists the names of the files that it stores for its customers. */
  listBlobs(): Promise<readonly string[]>;
  /** The end of what its processes have printed. */
  output(): string;
  /** Ends all processes. @throws Violation when a process or a temporary file is left behind */
  stop(): Promise<void>;
}

const CONDUCTS: Readonly<Record<Outsider, readonly Conduct[]>> = {
  site: ['hangs', 'cuts', 'fails'],
  shop: ['hangs', 'cuts', 'garbage', 'fails'],
  embeddings: ['hangs', 'cuts', 'garbage', 'fails'],
  model: ['hangs', 'cuts', 'garbage', 'fails'],
};

/** Lists the faults of the servers that Quarry asks. */
export function outsideFaults(outside: OutsideWorld): readonly Fault[] {
  return OUTSIDERS.flatMap((outsider) =>
    CONDUCTS[outsider].map((conduct) => ({
      name: `${outsider} ${conduct}`,
      target: outsider,
      outsider,
      cause: async (random) => {
        outside.setConduct(outsider, conduct);
        await pause(random.between(200, 4_000));
        outside.setConduct(outsider, 'works');
      },
    })),
  );
}

/** Returns one of the processes; none where there is none. */
export function someOf(random: Random, processes: readonly RunningProcess[]): readonly RunningProcess[] {
  return processes.length === 0 ? [] : [random.choose(processes)];
}

/** Returns a fault that kills one process, if there is one. */
export function killing(target: string, find: (random: Random) => Promise<readonly RunningProcess[]>): Fault {
  return {
    name: `kill ${target}`,
    target,
    cause: async (random) => {
      signal('SIGKILL', (await find(random)).slice(0, 1));
    },
  };
}

/** Returns a fault that stops processes for up to three seconds, and continues them. */
export function suspension(
  target: string,
  find: () => readonly RunningProcess[] | Promise<readonly RunningProcess[]>,
): Fault {
  return {
    name: `suspend ${target}`,
    target,
    cause: async (random) => suspend(await find(), random.between(100, 3_000)),
  };
}
