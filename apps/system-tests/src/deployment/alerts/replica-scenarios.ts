import { gauge } from './samples.js';
import type { Scenarios } from './scenario.js';

const replicas = (namespace: string): string =>
  `kube_deployment_status_replicas_unavailable{namespace="${namespace}",deployment="gateway"}`;
const eventLoop = (namespace: string): string => `nodejs_eventloop_lag_p99_seconds{namespace="${namespace}",pod="a"}`;

/** Scenarios of processes and pods. */
export const REPLICA_SCENARIOS: Scenarios = {
  QuarryEventLoopBlocked: [
    {
      title: 'a replica is blocked for two seconds at a time, for twenty minutes',
      series: { [eventLoop('quarry')]: gauge([20, 0.5], [20, 2], [20, 0.5]) },
      fires: [31, 39],
      silent: [15, 25, 41],
      labels: { namespace: 'quarry', pod: 'a' },
    },
    { title: 'a process of others is', series: { [eventLoop('other')]: gauge([60, 9]) }, fires: [], silent: [50] },
  ],
  QuarryReplicaMissing: [
    {
      title: 'a deployment lacks a replica for twenty minutes',
      series: { [replicas('quarry')]: gauge([10, 0], [20, 1], [20, 0]) },
      fires: [26, 29],
      silent: [9, 20, 31],
      labels: { namespace: 'quarry', deployment: 'gateway' },
    },
    {
      title: 'replicas are replaced, one after the other, and those of others are missing',
      series: {
        [replicas('quarry')]: gauge([5, 0], [8, 1], [5, 0], [8, 1], [30, 0]),
        [replicas('other')]: gauge([56, 3]),
      },
      fires: [],
      silent: [12, 25, 50],
    },
  ],
};
