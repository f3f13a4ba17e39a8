export { documentReader, type DocumentReader, type ReadingSettings } from './isolation/document-reader.js';
export { ReadingProcessDied } from './isolation/reading-process.js';
export { ReadingFailed } from './readers/reader.js';
export { type Fragment } from './splitting/fragment.js';
