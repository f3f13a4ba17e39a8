import { runWorker } from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { listIngestionDependencies } from './dependencies.js';
import { startIngestionWorker } from './start-ingestion-worker.js';

await runWorker({
  name: 'ingestion-worker',
  readConfig: () => readConfig(process.env),
  openContext,
  listDependencies: (context, gateway) => listIngestionDependencies({ ...context, gateway }),
  start: startIngestionWorker,
  closeContext: ({ fragmentStore }) => fragmentStore.close(),
});
