import type { Dependency, Pingable } from '@quarry/service-kit';

/** What a crawler works with. */
interface CrawlerServers {
  readonly queues: Pingable;
  readonly blobs: Pingable;
  readonly gateway: Pingable;
}

/** The dependencies of a crawler: without the queue, it has no jobs. */
export function crawlerDependencies({ queues, blobs, gateway }: CrawlerServers): readonly Dependency[] {
  return [
    { name: 'queue', required: true, neededBy: [], delays: 'every job', check: () => queues.ping() },
    { name: 'blobs', required: false, neededBy: ['crawls'], check: () => blobs.ping() },
    { name: 'gateway', required: false, neededBy: [], delays: 'crawls', check: () => gateway.ping() },
  ];
}
