export { inMemoryRunGateway, type InMemoryRunGateway, type RecordedDocuments } from './in-memory-run-gateway.js';
export { describeRunGateway, type RunGatewayUnderTest, type StartedRun } from './describe-run-gateway.js';
