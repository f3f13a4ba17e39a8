export { hasOpenssl } from './certificate-authority.js';
export { startTestPostgres, type TestPostgres } from './start-test-postgres.js';
export { startTlsPostgres, type TlsPostgres } from './start-tls-postgres.js';
