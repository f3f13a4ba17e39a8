import { setTimeout as pause } from 'node:timers/promises';
import type { QuarryClient } from '@quarry/client';
import { EXTERNAL_SERVICES, type Behaviour, type ExternalService, type ExternalServers } from './external-servers.js';
import { sendSignalToProcesses, suspendProcesses, type RunningProcess } from './list-processes.js';
import type { Random } from './random.js';

/** A temporary fault that a campaign injects into Quarry, its servers or an external server. */
export interface Fault {
  /** Name of the fault in reports, such as `kill Quarry`. */
  readonly name: string;
  /** Name of the affected process or server. Faults of the same target are injected one after the other. */
  readonly target: string;
  /** The external server that fails during the fault; undefined if the fault affects Quarry or its servers. */
  readonly service?: ExternalService;
  /** Injects the fault. Resolves when it has ended and all processes run again. */
  inject(random: Random): Promise<void>;
}

/** A running Quarry with the faults that can be injected into it. */
export interface FragileStack {
  readonly title: string;
  readonly faults: readonly Fault[];
  /** The faults that cannot be injected on this machine, each with the reason. */
  readonly unavailable: readonly string[];
  /** Returns a client for the current address of Quarry. */
  connect(): QuarryClient;
  /** Resolves when all processes are ready. @throws Violation if one has exited by itself or is not ready in time */
  verifyProcesses(): Promise<void>;
  /**
   * Verifies that no process has exited by itself, unless another replica replaces it.
   *
   * @throws Violation if a process has exited by itself
   */
  verifyAlive(): void;
  /** Lists the names of the stored blobs. */
  listBlobs(): Promise<readonly string[]>;
  /** Returns the last part of the output of all processes. */
  output(): string;
  /** Stops all processes. @throws Violation if a process or a temporary file is left */
  stop(): Promise<void>;
}

const BEHAVIOUR_FAULTS: Readonly<Record<ExternalService, readonly Behaviour[]>> = {
  site: ['hangs', 'cuts', 'fails'],
  shop: ['hangs', 'cuts', 'garbage', 'fails'],
  embeddings: ['hangs', 'cuts', 'garbage', 'fails'],
  model: ['hangs', 'cuts', 'garbage', 'fails'],
};

/** Returns the possible faults of the external servers that Quarry calls. */
export function listExternalFaults(external: ExternalServers): readonly Fault[] {
  return EXTERNAL_SERVICES.flatMap((service) =>
    BEHAVIOUR_FAULTS[service].map((behaviour) => ({
      name: `${service} ${behaviour}`,
      target: service,
      service,
      inject: async (random) => {
        external.setBehaviour(service, behaviour);
        await pause(random.pickInteger(200, 4_000));
        external.setBehaviour(service, 'works');
      },
    })),
  );
}

/** Returns a list with one of the processes, chosen at random; an empty list without processes. */
export function pickOneProcess(random: Random, processes: readonly RunningProcess[]): readonly RunningProcess[] {
  return processes.length === 0 ? [] : [random.chooseValue(processes)];
}

/** Creates a fault that kills the first of the found processes. Without a process, the fault has no effect. */
export function createKillFault(target: string, find: (random: Random) => Promise<readonly RunningProcess[]>): Fault {
  return {
    name: `kill ${target}`,
    target,
    inject: async (random) => {
      sendSignalToProcesses('SIGKILL', (await find(random)).slice(0, 1));
    },
  };
}

/** Creates a fault that suspends the found processes for up to three seconds. */
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
