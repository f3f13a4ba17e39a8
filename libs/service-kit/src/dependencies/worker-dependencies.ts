import type { Dependency, Pingable } from './dependency.js';

/** Holds the clients of the servers that every worker uses. */
export interface WorkerServers {
  readonly queues: Pingable;
  readonly blobs: Pingable;
  readonly gateway: Pingable;
}

/**
 * Lists the dependencies of a worker. Only the queue is required, because the worker receives no job without it.
 *
 * @param work the kinds of work that the worker does, the most important first, in the words of docs/operations.md
 */
export function listWorkerDependencies(
  { queues, blobs, gateway }: WorkerServers,
  [work, ...others]: readonly [string, ...string[]],
): readonly Dependency[] {
  return [
    { name: 'queue', required: true, neededBy: [], delays: 'every job', check: () => queues.ping() },
    { name: 'blobs', required: false, neededBy: [work, ...others], check: () => blobs.ping() },
    { name: 'gateway', required: false, neededBy: [], delays: work, check: () => gateway.ping() },
  ];
}
