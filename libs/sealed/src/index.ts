export { openHeaders, sealHeaders, type Headers, type HeadersOwner } from './sealed-headers.js';
export { createSealing, SealBroken, sealingKey, type Sealing } from './sealing.js';
