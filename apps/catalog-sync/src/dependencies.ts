import type { Dependency, Pingable } from '@quarry/service-kit';

/** What the catalogue synchronisation works with. */
interface CatalogServers {
  readonly queues: Pingable;
  readonly blobs: Pingable;
  readonly gateway: Pingable;
}

/** The dependencies of the catalogue synchronisation: without the queue, it has no jobs. */
export function catalogDependencies({ queues, blobs, gateway }: CatalogServers): readonly Dependency[] {
  return [
    { name: 'queue', required: true, neededBy: [], delays: 'every job', check: () => queues.ping() },
    { name: 'blobs', required: false, neededBy: ['listing syncs'], check: () => blobs.ping() },
    { name: 'gateway', required: false, neededBy: [], delays: 'listing syncs', check: () => gateway.ping() },
  ];
}
