export { startTestPostgres, type TestPostgres } from './start-test-postgres.js';
