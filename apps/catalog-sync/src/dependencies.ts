import { listWorkerDependencies, type Dependency, type WorkerServers } from '@quarry/service-kit';

/** Lists the dependencies of the catalogue synchronisation. */
export function catalogDependencies(servers: WorkerServers): readonly Dependency[] {
  return listWorkerDependencies(servers, ['listing syncs']);
}
