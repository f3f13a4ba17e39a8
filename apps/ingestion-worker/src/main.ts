import { SERVICE_REPORT_INTERVAL_MS, VERSION } from '@quarry/contracts';
import { createStatusReporter } from '@quarry/run-reporting';
import { runWorker } from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { listIngestionDependencies } from './dependencies.js';
import { listWorkerComponents } from './worker-components.js';
import { startIngestionWorker } from './start-ingestion-worker.js';

await runWorker({
  name: 'ingestion-worker',
  version: VERSION,
  readConfig: () => readConfig(process.env),
  openContext,
  listDependencies: (context, gateway) => listIngestionDependencies({ ...context, gateway }),
  listComponents: ({ settings, fragments }) => listWorkerComponents(settings, fragments.kind),
  openStatusReporter: ({ gateway }) => createStatusReporter(gateway),
  statusIntervalMs: SERVICE_REPORT_INTERVAL_MS,
  start: startIngestionWorker,
  closeContext: ({ fragmentStore }) => fragmentStore.close(),
});
