import { listWorkerDependencies, type Dependency, type WorkerServers } from '@quarry/service-kit';

/** Lists the dependencies that the readiness check of a crawler pings. */
export function listCrawlerDependencies(servers: WorkerServers): readonly Dependency[] {
  return listWorkerDependencies(servers, ['crawls']);
}
