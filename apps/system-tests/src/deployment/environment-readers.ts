import { readConfig as readCatalogSync } from '@quarry/catalog-sync';
import { readConfig as readCrawler } from '@quarry/crawler';
import { readConfig as readGateway } from '@quarry/gateway';
import { readConfig as readIngestionWorker } from '@quarry/ingestion-worker';
import { readConfig as readQuery } from '@quarry/query';
import { ConfigurationError } from '@quarry/service-kit';

type Reader = (environment: NodeJS.ProcessEnv) => unknown;

/** Maps each service to its function that reads its configuration from environment variables. */
export const READERS: Readonly<Record<string, Reader>> = {
  gateway: readGateway,
  query: readQuery,
  'ingestion-worker': readIngestionWorker,
  crawler: readCrawler,
  'catalog-sync': readCatalogSync,
};

/** Returns the names of all environment variables that a configuration function reads, whether they are set or not. */
export function listReadVariables(read: Reader): ReadonlySet<string> {
  const names = new Set<string>();
  const environment = new Proxy<NodeJS.ProcessEnv>(
    {},
    {
      get: (_target, name) => {
        names.add(String(name));
        return undefined;
      },
    },
  );
  try {
    read(environment);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
  }
  return names;
}
