// Exports the modules of the five services, which are loaded while PostgreSQL starts.
export { createSignInPath, ensureRootKey } from '@quarry/gateway';
export { openSharedParts } from './shared-parts.js';
export { startServices } from './services.js';
