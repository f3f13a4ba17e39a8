import { JOB_SCENARIOS } from './job-scenarios.js';
import { REPLICA_SCENARIOS } from './replica-scenarios.js';
import { REQUEST_SCENARIOS } from './request-scenarios.js';
import type { Scenarios } from './scenario.js';

/** Of all alerts, in their order. */
export const SCENARIOS: Scenarios = { ...REQUEST_SCENARIOS, ...JOB_SCENARIOS, ...REPLICA_SCENARIOS };
