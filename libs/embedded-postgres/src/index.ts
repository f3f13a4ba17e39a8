export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresSettings,
  type ServerLog,
} from './start-embedded-postgres.js';
