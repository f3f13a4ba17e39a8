import { listWorkerDependencies, type Dependency, type WorkerServers } from '@quarry/service-kit';

/** Lists the dependencies of a crawler. */
export function crawlerDependencies(servers: WorkerServers): readonly Dependency[] {
  return listWorkerDependencies(servers, ['crawls']);
}
