export { hasOpenssl } from './certificates.js';
export { startTestPostgres, type TestPostgres } from './start-test-postgres.js';
export { startTlsPostgres, type TlsPostgres } from './start-tls-postgres.js';
