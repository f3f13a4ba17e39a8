import { setTimeout as pause } from 'node:timers/promises';
import type { QuarryClient } from '@quarry/client';
import { EXTERNAL_SERVICES, type Behaviour, type ExternalService, type ExternalServers } from './external-servers.js';
import { sendSignalToProcesses, suspendProcesses, type RunningProcess } from './list-processes.js';
import type { Random } from './random.js';

/** Describes a temporary fault of Quarry, of a server that it uses, such as Redis, or of an external server. */
export interface Fault {
  /** Name of the fault in reports, such as `kill Quarry`. */
  readonly name: string;
  /** Name of the affected process or server. Faults with the same target do not overlap in time. */
  readonly target: string;
  /** External server that fails during the fault; absent if the fault affects Quarry or a server such as Redis. */
  readonly service?: ExternalService;
  /** Injects the fault. Resolves when the fault has ended. A process that another program restarts may not run yet. */
  inject(random: Random): Promise<void>;
}

/** Controls a running Quarry, and lists the faults that a campaign can inject into it. */
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
   * Verifies that no process has exited by itself. Does nothing if each service has several replicas.
   *
   * @throws Violation if a process has exited by itself
   */
  verifyAlive(): void;
  /** Lists the paths of the files with stored blobs, such as uploaded files. */
  listBlobs(): Promise<readonly string[]>;
  /** Returns the end of the output of all processes, for the report of a failure. */
  output(): string;
  /**
   * Stops all processes of the stack.
   *
   * @throws Violation if a process is left; on one machine, also if a temporary file is left or Quarry exits with an
   * error
   */
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

/** Creates a fault that kills the first process that `find` returns. If it returns none, the fault has no effect. */
export function createKillFault(target: string, find: (random: Random) => Promise<readonly RunningProcess[]>): Fault {
  return {
    name: `kill ${target}`,
    target,
    inject: async (random) => {
      sendSignalToProcesses('SIGKILL', (await find(random)).slice(0, 1));
    },
  };
}

/** Creates a fault that suspends all processes that `find` returns for up to three seconds. */
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
