import { listWorkerDependencies, type Dependency, type WorkerServers } from '@quarry/service-kit';

/** Lists the dependencies that the readiness check of the catalogue synchronisation pings. */
export function listCatalogDependencies(servers: WorkerServers): readonly Dependency[] {
  return listWorkerDependencies(servers, ['listing syncs']);
}
