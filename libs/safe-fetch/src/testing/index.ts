export { HOSTILE_NAMES, HOSTILE_URLS, type HostileUrl } from './hostile-urls.js';
export { PretendInternet } from './pretend-internet.js';
