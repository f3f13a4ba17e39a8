export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresSettings,
} from './start-embedded-postgres.js';
