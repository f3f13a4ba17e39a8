export { createSealing, SealBroken, sealingKey, type Sealing } from './sealing.js';
