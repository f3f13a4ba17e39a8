export { readConfig } from './config.js';
export { type IngestionWorkerContext } from './context.js';
export { indexDocument, type IndexingParts } from './indexing/index-document.js';
export { createRecognizer } from './recognition/ocr-settings.js';
export { openPageRecognition } from './recognition/page-recognition.js';
export { readWorkerSettings, type WorkerSettings } from './settings.js';
export { startIngestionWorker } from './start-ingestion-worker.js';
export { listIngestionDependencies } from './dependencies.js';
export { listWorkerComponents } from './worker-components.js';
