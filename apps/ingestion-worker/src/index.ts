export { type IngestionWorkerContext } from './context.js';
export { readWorkerSettings, type WorkerSettings } from './settings.js';
export { startIngestionWorker } from './start-ingestion-worker.js';
