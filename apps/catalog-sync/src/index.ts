export { readCatalogSettings, readConfig, type CatalogSettings } from './config.js';
export { type CatalogSyncContext } from './context.js';
export { startCatalogSync } from './start-catalog-sync.js';
export { catalogDependencies } from './dependencies.js';
