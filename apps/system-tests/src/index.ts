export { MAX_FIRST_LOAD_BYTES } from './console/first-load.js';
export { METRICS_TOKEN, ROOT_KEY } from './quarry/quarry-process.js';
export { listDescendantProcesses, listFilesOfFolder } from './faults/list-processes.js';
export { startServers, type Servers } from './quarry/servers.js';
export { startService, type ServiceProcess } from './quarry/service-process.js';
export { type Variables } from './quarry/stack.js';
export { runFaultCampaign, type CampaignReport, type CampaignSettings, type RoundReport } from './faults/campaign.js';
export { findMissingRequirement, startFragileServices } from './faults/fragile-services.js';
export { startFragileMachine } from './faults/one-machine.js';
