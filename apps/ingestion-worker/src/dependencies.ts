import { listWorkerDependencies, type Dependency, type Pingable, type WorkerServers } from '@quarry/service-kit';

/** Lists the dependencies of an ingestion worker. */
export function ingestionDependencies({
  fragmentStore,
  ...servers
}: WorkerServers & { readonly fragmentStore: Pingable }): readonly Dependency[] {
  return [
    ...listWorkerDependencies(servers, ['indexing', 'removals']),
    { name: 'fragments', required: false, neededBy: ['indexing', 'removals'], check: () => fragmentStore.ping() },
  ];
}
