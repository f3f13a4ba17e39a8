export { type GatewayContext } from './context.js';
export { openDatabase, type DatabaseOptions, type OpenDatabase } from './database/database.js';
export { migrateDatabase } from './database/migrate.js';
export { newApiKey } from './keys/api-key.js';
export { ensureRootKey } from './keys/root-key.js';
export { DEFAULT_LIMITS, type Limits } from './limits.js';
export { readSettings, type GatewaySettings } from './settings.js';
export { startGateway, type RunningGateway } from './start-gateway.js';
