export { hideDatastore, removeNextContent } from '../datastores/remove-datastore.js';
export { insertKey } from '../keys/key-repository.js';
export { exerciseApi, exerciseWorkers, type FilledGateway } from './exercise-gateway.js';
export { type ExplainedStatement, explainStatements } from './explain-statements.js';
export { BUSY_ORGANIZATION, type DatabaseSizes, FILLED, fillDatabase, buildFilledId } from './fill-database.js';
export { type FullScan, listFullScans } from './list-full-scans.js';
export { reserveQuery } from '../usage/query-reservations.js';
export { startTestGateway, type TestGateway } from './start-test-gateway.js';
