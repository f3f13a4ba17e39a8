import { formatAbsentValues, formatCounterValues, formatGaugeValues, createHistogramSeries } from './samples.js';
import type { Scenarios } from './scenario.js';

const REQUESTS = 'quarry_http_request_duration_seconds';
const formatRequestSeries = (status: string, service = 'gateway', route = '/api/me'): string =>
  `${REQUESTS}_count{service="${service}",route="${route}",status="${status}"}`;
const formatDependencySeries = (dependency: string, pod: string): string =>
  `quarry_dependency_up{service="gateway",dependency="${dependency}",pod="${pod}"}`;
const formatAnswerSeries = (outcome: string): string => `quarry_answers_total{outcome="${outcome}"}`;

/** The upper bounds of the histogram buckets in seconds. They include the thresholds of the alerts. */
const BOUNDS = [0.1, 1, 2, 2.5, 5, 10, 15, 30, 60];
const createTimedSeries = (
  name: string,
  labels: string,
  ...seconds: readonly number[]
): Readonly<Record<string, string>> =>
  createHistogramSeries(
    name,
    labels,
    BOUNDS,
    seconds.map((each) => ({ minutes: 40, seconds: each })),
  );
const formatRouteLabels = (method: string, route: string): string =>
  `service="gateway",method="${method}",route="${route}"`;
/** Test scenarios of the alerts for requests, dependencies and answers, keyed by the name of the alert. */
export const REQUEST_SCENARIOS: Scenarios = {
  QuarryRequestsFail: [
    {
      title: 'one request in thirty fails for twenty minutes, and none after that',
      series: {
        [formatRequestSeries('200')]: formatCounterValues([60, 97]),
        [formatRequestSeries('503')]: formatCounterValues([20, 3], [40, 0]),
        [formatRequestSeries('200', 'query')]: formatCounterValues([60, 900]),
      },
      fires: [10, 20],
      silent: [3, 30, 50],
    },
    {
      title: 'one request in a hundred fails, and so do requests of another service and invalid requests',
      series: {
        [formatRequestSeries('200')]: formatCounterValues([60, 99]),
        [formatRequestSeries('500')]: formatCounterValues([60, 1]),
        [formatRequestSeries('404')]: formatCounterValues([60, 50]),
        [formatRequestSeries('500', 'query')]: formatCounterValues([60, 50]),
      },
      fires: [],
      silent: [10, 30, 55],
    },
    {
      title: 'no question is asked',
      series: { [formatRequestSeries('200')]: formatGaugeValues([60, 7]) },
      fires: [],
      silent: [30],
    },
  ],
  QuarryRequestsSlow: [
    {
      title: 'a route takes four seconds for forty minutes, and half a second before and after that',
      series: createTimedSeries(REQUESTS, formatRouteLabels('GET', '/api/datasources'), 0.5, 4, 0.5),
      fires: [62, 80],
      silent: [30, 45, 100],
      labels: { method: 'GET', route: '/api/datasources' },
    },
    {
      title: 'each request takes slightly less than two seconds',
      series: createTimedSeries(REQUESTS, formatRouteLabels('PATCH', '/api/agents/:id'), 1.9, 1.9),
      fires: [],
      silent: [30, 70],
    },
    {
      title: 'answers, uploads, MCP requests and requests to another service take four seconds',
      series: {
        ...createTimedSeries(REQUESTS, formatRouteLabels('POST', '/api/agents/:id/query'), 4, 4),
        ...createTimedSeries(REQUESTS, formatRouteLabels('POST', '/api/datasources'), 4, 4),
        ...createTimedSeries(REQUESTS, formatRouteLabels('POST', 'none'), 4, 4),
        ...createTimedSeries(REQUESTS, 'service="query",route="/health/ready"', 4, 4),
      },
      fires: [],
      silent: [30, 70],
    },
  ],
  QuarryDependencyDown: [
    {
      title: 'one of two gateways cannot connect to Redis for twenty minutes',
      series: {
        [formatDependencySeries('queue', 'a')]: formatGaugeValues([10, 1], [20, 0], [30, 1]),
        [formatDependencySeries('queue', 'b')]: formatGaugeValues([60, 1]),
        [formatDependencySeries('blobs', 'a')]: formatGaugeValues([60, 1]),
      },
      fires: [16, 29],
      silent: [9, 14, 31, 50],
      labels: { service: 'gateway', dependency: 'queue' },
    },
    {
      title: 'Redis is restarted, and a gateway is removed while it cannot connect to S3',
      series: {
        [formatDependencySeries('queue', 'a')]: formatGaugeValues([10, 1], [3, 0], [40, 1]),
        [formatDependencySeries('blobs', 'b')]: `${formatGaugeValues([10, 1], [3, 0])} ${formatAbsentValues(40)}`,
      },
      fires: [],
      silent: [12, 20, 40],
    },
  ],
  QuarryAnswersFail: [
    {
      title: 'one answer in five fails for half an hour',
      series: {
        [formatAnswerSeries('model')]: formatCounterValues([90, 8]),
        [formatAnswerSeries('model_unavailable')]: formatCounterValues([30, 1], [60, 0]),
        [formatAnswerSeries('index_unavailable')]: formatCounterValues([30, 1], [60, 0]),
      },
      fires: [15, 30],
      silent: [5, 45, 80],
    },
    {
      title: 'clients disconnect, and one answer in twenty fails',
      series: {
        [formatAnswerSeries('model')]: formatCounterValues([60, 10]),
        [formatAnswerSeries('extractive')]: formatCounterValues([60, 9]),
        [formatAnswerSeries('left')]: formatCounterValues([60, 20]),
        [formatAnswerSeries('failed')]: formatCounterValues([60, 1]),
      },
      fires: [],
      silent: [20, 50],
    },
  ],
  QuarryAnswersSlow: [
    {
      title: 'the first text takes twenty seconds for forty minutes, and one before and after that',
      series: createTimedSeries('quarry_answer_first_text_seconds', '', 1, 20, 1),
      fires: [62, 80],
      silent: [30, 45, 100],
    },
    {
      title: 'the first text takes slightly less than fifteen seconds',
      series: createTimedSeries('quarry_answer_first_text_seconds', '', 14.5, 14.5),
      fires: [],
      silent: [30, 70],
    },
  ],
};
