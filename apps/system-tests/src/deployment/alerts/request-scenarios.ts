import { absent, counter, gauge, histogram } from './samples.js';
import type { Scenarios } from './scenario.js';

const REQUESTS = 'quarry_http_request_duration_seconds';
const requests = (status: string, service = 'gateway', route = '/api/me'): string =>
  `${REQUESTS}_count{service="${service}",route="${route}",status="${status}"}`;
const available = (dependency: string, pod: string): string =>
  `quarry_dependency_up{service="gateway",dependency="${dependency}",pod="${pod}"}`;
const answers = (outcome: string): string => `quarry_answers_total{outcome="${outcome}"}`;

/** Bounds on both sides of what the alerts choose. */
const BOUNDS = [0.1, 1, 2.5, 5, 10, 30, 60];
const timed = (name: string, labels: string, ...seconds: readonly number[]): Readonly<Record<string, string>> =>
  histogram(
    name,
    labels,
    BOUNDS,
    seconds.map((each) => ({ minutes: 40, seconds: each })),
  );
const routed = (route: string): string => `service="gateway",route="${route}"`;
/** Scenarios of requests and responses. */
export const REQUEST_SCENARIOS: Scenarios = {
  QuarryRequestsFail: [
    {
      title: 'one request in thirty fails for twenty minutes, and none after that',
      series: {
        [requests('200')]: counter([60, 97]),
        [requests('503')]: counter([20, 3], [40, 0]),
        [requests('200', 'query')]: counter([60, 900]),
      },
      fires: [10, 20],
      silent: [3, 30, 50],
    },
    {
      title: 'one request in a hundred fails, and those of another service and of wrong callers',
      series: {
        [requests('200')]: counter([60, 99]),
        [requests('500')]: counter([60, 1]),
        [requests('404')]: counter([60, 50]),
        [requests('500', 'query')]: counter([60, 50]),
      },
      fires: [],
      silent: [10, 30, 55],
    },
    { title: 'nobody asks', series: { [requests('200')]: gauge([60, 7]) }, fires: [], silent: [30] },
  ],
  QuarryRequestsSlow: [
    {
      title: 'a route takes four seconds for forty minutes, and half a second before and after that',
      series: timed(REQUESTS, routed('/api/me'), 0.5, 4, 0.5),
      fires: [62, 80],
      silent: [30, 45, 100],
      labels: { route: '/api/me' },
    },
    {
      title: 'answers and uploads take four seconds, and what another service does',
      series: {
        ...timed(REQUESTS, routed('/api/agents/:id/query'), 4, 4),
        ...timed(REQUESTS, routed('/api/datasources'), 4, 4),
        ...timed(REQUESTS, 'service="query",route="/health/ready"', 4, 4),
      },
      fires: [],
      silent: [30, 70],
    },
  ],
  QuarryDependencyDown: [
    {
      title: 'one of two gateways does not reach Redis for twenty minutes',
      series: {
        [available('queue', 'a')]: gauge([10, 1], [20, 0], [30, 1]),
        [available('queue', 'b')]: gauge([60, 1]),
        [available('blobs', 'a')]: gauge([60, 1]),
      },
      fires: [16, 29],
      silent: [9, 14, 31, 50],
      labels: { service: 'gateway', dependency: 'queue' },
    },
    {
      title: 'Redis is restarted, and a gateway is removed while it does not reach S3',
      series: {
        [available('queue', 'a')]: gauge([10, 1], [3, 0], [40, 1]),
        [available('blobs', 'b')]: `${gauge([10, 1], [3, 0])} ${absent(40)}`,
      },
      fires: [],
      silent: [12, 20, 40],
    },
  ],
  QuarryAnswersFail: [
    {
      title: 'one answer in five fails for half an hour',
      series: {
        [answers('model')]: counter([90, 8]),
        [answers('model_unavailable')]: counter([30, 1], [60, 0]),
        [answers('index_unavailable')]: counter([30, 1], [60, 0]),
      },
      fires: [15, 30],
      silent: [5, 45, 80],
    },
    {
      title: 'clients leave, and one answer in twenty fails',
      series: {
        [answers('model')]: counter([60, 10]),
        [answers('extractive')]: counter([60, 9]),
        [answers('left')]: counter([60, 20]),
        [answers('failed')]: counter([60, 1]),
      },
      fires: [],
      silent: [20, 50],
    },
  ],
  QuarryAnswersSlow: [
    {
      title: 'the first text takes twenty seconds for forty minutes, and one before and after that',
      series: timed('quarry_answer_first_text_seconds', '', 1, 20, 1),
      fires: [62, 80],
      silent: [30, 45, 100],
    },
    {
      title: 'the first text takes eight seconds',
      series: timed('quarry_answer_first_text_seconds', '', 8, 8),
      fires: [],
      silent: [30, 70],
    },
  ],
};
