export { openLanceDbFragmentStore, type LanceDbOptions, type StoreLog } from './lance-db-fragment-store.js';
export type { MaintenancePolicy } from './maintenance.js';
export { FolderInUse } from './writer-lock.js';
