export { readCatalogSettings, readConfig, type CatalogSettings } from './config.js';
export { type CatalogSyncContext } from './context.js';
export { startCatalogSync } from './start-catalog-sync.js';
export { listCatalogDependencies } from './dependencies.js';
export { reduceHeapGrowth } from './reduce-heap-growth.js';
