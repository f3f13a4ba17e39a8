export { HOSTILE_NAMES, HOSTILE_URLS, type HostileUrl } from './hostile-urls.js';
export { SimulatedInternet } from './simulated-internet.js';
