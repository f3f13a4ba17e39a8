import { runWorker } from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { listCatalogDependencies } from './dependencies.js';
import { startCatalogSync } from './start-catalog-sync.js';

await runWorker({
  name: 'catalog-sync',
  readConfig: () => readConfig(process.env),
  openContext,
  listDependencies: (context, gateway) => listCatalogDependencies({ ...context, gateway }),
  start: startCatalogSync,
  closeContext: ({ safeFetch }) => safeFetch.close(),
});
