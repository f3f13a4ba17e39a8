// The modules of the five services. They are loaded while PostgreSQL starts.
export { createSignInPath, ensureRootKey } from '@quarry/gateway';
export { openParts } from './shared-parts.js';
export { startServices } from './services.js';
