import { setTimeout as pause } from 'node:timers/promises';
import type { QuarryClient } from '@quarry/client';
import { EXTERNAL_SERVICES, type Conduct, type ExternalService, type OutsideWorld } from './outside-world.js';
import { sendSignal, suspendProcesses, type RunningProcess } from './list-processes.js';
import type { Random } from './random.js';

/** Describes a temporary fault. */
export interface Fault {
  /** For example `kill quarry`. */
  readonly name: string;
  /** Faults of the same target run one after the other. */
  readonly target: string;
  /** The external server that fails during the fault, if any. */
  readonly service?: ExternalService;
  /** Injects the fault. Resolves when it has ended and all processes run again. */
  inject(random: Random): Promise<void>;
}

/** Describes a Quarry whose processes can be stopped by faults. */
export interface FragileStack {
  readonly title: string;
  readonly faults: readonly Fault[];
  /** The kinds of faults that this machine cannot inject, with the reason. */
  readonly unavailable: readonly string[];
  /** Returns a client for the current address of Quarry. */
  connect(): QuarryClient;
  /** Resolves when Quarry is ready. @throws Violation after a time limit */
  verifyProcesses(): Promise<void>;
  /** Verifies that all processes run. @throws Violation if one has exited by itself */
  verifyAlive(): void;
  /** Lists the names of the stored files of customers. */
  listBlobs(): Promise<readonly string[]>;
  /** Returns the end of the output of its processes. */
  output(): string;
  /** Stops all processes. @throws Violation when a process or a temporary file is left */
  stop(): Promise<void>;
}

const CONDUCT_FAULTS: Readonly<Record<ExternalService, readonly Conduct[]>> = {
  site: ['hangs', 'cuts', 'fails'],
  shop: ['hangs', 'cuts', 'garbage', 'fails'],
  embeddings: ['hangs', 'cuts', 'garbage', 'fails'],
  model: ['hangs', 'cuts', 'garbage', 'fails'],
};

/** Lists the faults of the external servers that Quarry calls. */
export function listOutsideFaults(outside: OutsideWorld): readonly Fault[] {
  return EXTERNAL_SERVICES.flatMap((service) =>
    CONDUCT_FAULTS[service].map((conduct) => ({
      name: `${service} ${conduct}`,
      target: service,
      service,
      inject: async (random) => {
        outside.setConduct(service, conduct);
        await pause(random.pickInteger(200, 4_000));
        outside.setConduct(service, 'works');
      },
    })),
  );
}

/** Returns one of the processes, in a list; an empty list without processes. */
export function pickProcess(random: Random, processes: readonly RunningProcess[]): readonly RunningProcess[] {
  return processes.length === 0 ? [] : [random.chooseValue(processes)];
}

/** Returns a fault that kills one process, if there is one. */
export function createKillFault(target: string, find: (random: Random) => Promise<readonly RunningProcess[]>): Fault {
  return {
    name: `kill ${target}`,
    target,
    inject: async (random) => {
      sendSignal('SIGKILL', (await find(random)).slice(0, 1));
    },
  };
}

/** Returns a fault that suspends processes for up to three seconds. */
export function createSuspendFault(
  target: string,
  find: () => readonly RunningProcess[] | Promise<readonly RunningProcess[]>,
): Fault {
  return {
    name: `suspend ${target}`,
    target,
    inject: async (random) => suspendProcesses(await find(), random.pickInteger(100, 3_000)),
  };
}
