export { readConfig } from './config.js';
export { openCapabilities, type QueryCapabilities, type QueryContext } from './context.js';
export { listQueryDependencies } from './dependencies.js';
export { readModelSettings } from './models/model-environment.js';
export { openModels, type Models } from './models/open-models.js';
export type { ModelSettings } from './models/model-settings.js';
export { createInProcessQuery, type InProcessQuery } from './in-process-query.js';
export { startQuery, type RunningQuery } from './server.js';
export { readQuerySettings, type QuerySettings } from './settings.js';
