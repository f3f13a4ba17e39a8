export { hideDatastore, removeNextDatastoreContent } from '../datastores/remove-datastore.js';
export { insertKey } from '../keys/key-repository.js';
export { exerciseApi, exerciseWorkers, type FilledGateway } from './exercise-gateway.js';
export { type ExplainedStatement, explainStatements, type TableScan } from './explain-statements.js';
export { BUSY_ORGANIZATION, type DatabaseSizes, FILLED, fillDatabase, buildFilledId } from './fill-database.js';
export {
  endListingSync,
  type FilledListing,
  insertIndexedListing,
  type StartedSync,
  startListingSync,
} from './insert-indexed-listing.js';
export { type FullScan, listFullScans } from './list-full-scans.js';
export { connectClient, connectEarlierClient, type McpTestClient } from './mcp-clients.js';
export { OPENAI_OPERATIONS } from '../operations/openai/routes.js';
export { OPERATIONS } from '../operations/operations.js';
export { openRunGateway } from '../runs/record/open-run-gateway.js';
export { createOutcomeRecorder } from '../runs/update/record-outcomes.js';
export { recordDocumentOutcome } from '../runs/update/record-outcomes.js';
export { reserveQuery } from '../usage/query-reservations.js';
export { buildUnpublishedDocuments } from './unpublished-documents.js';
export { startTestGateway, type TestGateway } from './start-test-gateway.js';
