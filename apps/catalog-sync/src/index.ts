export { readCatalogSettings, readConfig, type CatalogSettings } from './config.js';
export { type CatalogSyncContext } from './context.js';
export { systemWait } from './listing/system-wait.js';
export { startCatalogSync } from './start-catalog-sync.js';
export { catalogDependencies } from './dependencies.js';
