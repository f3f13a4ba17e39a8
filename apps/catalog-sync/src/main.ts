import { runWorker } from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { catalogDependencies } from './dependencies.js';
import { startCatalogSync } from './start-catalog-sync.js';

await runWorker({
  name: 'catalog-sync',
  readConfig: () => readConfig(process.env),
  openContext,
  listDependencies: (context, gateway) => catalogDependencies({ ...context, gateway }),
  start: startCatalogSync,
  closeContext: ({ safeFetch }) => safeFetch.close(),
});
