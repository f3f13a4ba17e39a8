import type { Dependency, Pingable } from '@quarry/service-kit';

/** What an ingestion worker works with. */
interface IngestionServers {
  readonly queues: Pingable;
  readonly blobs: Pingable;
  readonly fragmentStore: Pingable;
  readonly gateway: Pingable;
}

/** The dependencies of an ingestion worker: without the queue, it has no jobs. */
export function ingestionDependencies({
  queues,
  blobs,
  fragmentStore,
  gateway,
}: IngestionServers): readonly Dependency[] {
  return [
    { name: 'queue', required: true, neededBy: [], delays: 'every job', check: () => queues.ping() },
    { name: 'blobs', required: false, neededBy: ['indexing', 'removals'], check: () => blobs.ping() },
    { name: 'fragments', required: false, neededBy: ['indexing', 'removals'], check: () => fragmentStore.ping() },
    { name: 'gateway', required: false, neededBy: [], delays: 'indexing', check: () => gateway.ping() },
  ];
}
