import { listWorkerDependencies, type Dependency, type Pingable, type WorkerServers } from '@quarry/service-kit';

/** Lists the dependencies that the readiness check of an ingestion worker pings. */
export function listIngestionDependencies({
  fragmentStore,
  ...servers
}: WorkerServers & { readonly fragmentStore: Pingable }): readonly Dependency[] {
  return [
    ...listWorkerDependencies(servers, ['indexing', 'removals']),
    { name: 'fragments', required: false, neededBy: ['indexing', 'removals'], check: () => fragmentStore.ping() },
  ];
}
