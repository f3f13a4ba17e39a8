import { listCatalogDependencies } from '@quarry/catalog-sync';
import { VERSION } from '@quarry/contracts';
import { listCrawlerComponents, listCrawlerDependencies, readCrawlSettings } from '@quarry/crawler';
import { listIngestionDependencies, listWorkerComponents, readWorkerSettings } from '@quarry/ingestion-worker';
import { listQueryDependencies } from '@quarry/query';
import type { DescribedService, Pingable, ServiceComponent } from '@quarry/service-kit';
import type { SharedParts } from './shared-parts.js';

/** Stands for the gateway as a dependency of the other services. Always reachable: it runs in the same process. */
const gateway: Pingable = { ping: async () => Promise.resolve() };
/** Name under which the state of the installation lists the embedded fragment store. */
const VECTOR_STORE = 'lancedb';

/** Describes all services except the gateway, for the state of the installation. */
export function describeWorkerServices(
  environment: NodeJS.ProcessEnv,
  parts: SharedParts,
  listQueryComponents: () => readonly ServiceComponent[],
): readonly DescribedService[] {
  const servers = { ...parts, gateway };
  const worker = listWorkerComponents(readWorkerSettings(environment), VECTOR_STORE);
  const crawler = listCrawlerComponents(readCrawlSettings(environment));
  const version = VERSION;
  return [
    {
      ...{ name: 'query', version, dependencies: listQueryDependencies(parts) },
      listComponents: () => [{ kind: 'vector_store', name: VECTOR_STORE }, ...listQueryComponents()],
    },
    {
      ...{ name: 'ingestion-worker', version, dependencies: listIngestionDependencies(servers) },
      listComponents: () => worker,
    },
    { name: 'crawler', version, dependencies: listCrawlerDependencies(servers), listComponents: () => crawler },
    { name: 'catalog-sync', version, dependencies: listCatalogDependencies(servers), listComponents: () => [] },
  ];
}
