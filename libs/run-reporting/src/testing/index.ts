export { createInMemoryRunGateway, type InMemoryRunGateway, type RecordedDocuments } from './in-memory-run-gateway.js';
export { describeRunGateway, type RunGatewayUnderTest, type StartedRun } from './describe-run-gateway.js';
export { describeRunWorker, type RunWorkerUnderTest } from './describe-run-worker.js';
export { CrashableProcess, type Faults, type WrappedMethods } from './crashable-process.js';
