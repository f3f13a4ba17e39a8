export { readConfig, type StandaloneConfig } from './config.js';
export { startStandalone, type RunningStandalone } from './start-standalone.js';
