import { SERVICE_REPORT_INTERVAL_MS, VERSION } from '@quarry/contracts';
import { createStatusReporter } from '@quarry/run-reporting';
import { runWorker } from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { listCatalogDependencies } from './dependencies.js';
import { reduceHeapGrowth } from './reduce-heap-growth.js';
import { startCatalogSync } from './start-catalog-sync.js';

reduceHeapGrowth();
await runWorker({
  name: 'catalog-sync',
  version: VERSION,
  readConfig: () => readConfig(process.env),
  openContext,
  listDependencies: (context, gateway) => listCatalogDependencies({ ...context, gateway }),
  listComponents: () => [],
  openStatusReporter: ({ gateway }) => createStatusReporter(gateway),
  statusIntervalMs: SERVICE_REPORT_INTERVAL_MS,
  start: startCatalogSync,
  closeContext: ({ safeFetch }) => safeFetch.close(),
});
