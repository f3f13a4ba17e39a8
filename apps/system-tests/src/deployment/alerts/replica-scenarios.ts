import { formatGaugeValues } from './samples.js';
import type { Scenarios } from './scenario.js';

const formatReplicaSeries = (namespace: string): string =>
  `kube_deployment_status_replicas_unavailable{namespace="${namespace}",deployment="gateway"}`;
const formatEventLoopSeries = (namespace: string): string =>
  `nodejs_eventloop_lag_p99_seconds{namespace="${namespace}",pod="a"}`;

/** Test scenarios of the alerts for processes and pods, keyed by the name of the alert. */
export const REPLICA_SCENARIOS: Scenarios = {
  QuarryEventLoopBlocked: [
    {
      title: 'a replica is blocked for two seconds at a time, for twenty minutes',
      series: { [formatEventLoopSeries('quarry')]: formatGaugeValues([20, 0.5], [20, 2], [20, 0.5]) },
      fires: [31, 39],
      silent: [15, 25, 41],
      labels: { namespace: 'quarry', pod: 'a' },
    },
    {
      title: 'a process of another application is blocked',
      series: { [formatEventLoopSeries('other')]: formatGaugeValues([60, 9]) },
      fires: [],
      silent: [50],
    },
  ],
  QuarryReplicaMissing: [
    {
      title: 'a deployment lacks a replica for twenty minutes',
      series: { [formatReplicaSeries('quarry')]: formatGaugeValues([10, 0], [20, 1], [20, 0]) },
      fires: [26, 29],
      silent: [9, 20, 31],
      labels: { namespace: 'quarry', deployment: 'gateway' },
    },
    {
      title: 'replicas are replaced one after the other, and replicas of another application are missing',
      series: {
        [formatReplicaSeries('quarry')]: formatGaugeValues([5, 0], [8, 1], [5, 0], [8, 1], [30, 0]),
        [formatReplicaSeries('other')]: formatGaugeValues([56, 3]),
      },
      fires: [],
      silent: [12, 25, 50],
    },
  ],
};
