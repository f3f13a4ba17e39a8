export { Batcher, type Admission, type BatcherSettings } from './batcher.js';
