export { readConfig } from './config.js';
export { type IngestionWorkerContext } from './context.js';
export { indexDocument, type IndexingParts } from './indexing/index-document.js';
export { readWorkerSettings, type WorkerSettings } from './settings.js';
export { startIngestionWorker } from './start-ingestion-worker.js';
export { ReadingFailed } from './readers/reader.js';
export { documentReader, type DocumentReader, type ReadingSettings } from './reading/document-reader.js';
export { type Fragment } from './splitting/fragment.js';
export { ingestionDependencies } from './dependencies.js';
