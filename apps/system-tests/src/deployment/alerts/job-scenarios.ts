import { absent, counter, gauge } from './samples.js';
import type { Scenarios } from './scenario.js';

const jobs = (outcome: string, queue = 'ingestion', pod = 'a'): string =>
  `quarry_job_duration_seconds_count{queue="${queue}",outcome="${outcome}",pod="${pod}"}`;
const oldest = (queue: string, pod = 'a'): string => `quarry_queue_oldest_job_seconds{queue="${queue}",pod="${pod}"}`;
const backlog = (jobClass: string): string =>
  `quarry_backlog_oldest_seconds{queue="ingestion",class="${jobClass}",pod="a"}`;
const running = (queue: string): string => `quarry_jobs_running{queue="${queue}",pod="a"}`;
const fetches = (outcome: string): string => `quarry_fetches_total{outcome="${outcome}"}`;
/** A job that nobody takes: each minute makes it older. */
const AGING = '0+60x90';

/** Scenarios of queues, jobs and crawls. */
export const JOB_SCENARIOS: Scenarios = {
  QuarryQueueStuck: [
    {
      title: 'a job waits, as two gateways see it, and the only worker is gone, until one comes back',
      series: {
        [oldest('crawl', 'a')]: `0+60x40 0x20`,
        [oldest('crawl', 'b')]: `0+60x40 0x20`,
        [jobs('done', 'crawl')]: `${counter([3, 1])} ${absent(60)}`,
        [jobs('done', 'crawl', 'b')]: `${absent(40)} 1+1x20`,
        [jobs('done', 'ingestion')]: counter([61, 5]),
      },
      fires: [25, 39],
      silent: [14, 18, 45, 60],
      labels: { queue: 'crawl' },
    },
    {
      title: 'a job waits, and the workers are there and do nothing',
      series: {
        [oldest('crawl')]: AGING,
        [jobs('done', 'crawl')]: gauge([90, 12]),
        [running('crawl')]: gauge([90, 0]),
      },
      fires: [25, 80],
      silent: [14],
      labels: { queue: 'crawl' },
    },
    {
      title: 'a job waits for its turn behind those that are run',
      series: {
        [oldest('ingestion')]: AGING,
        [jobs('done')]: counter([91, 1]),
        [running('ingestion')]: gauge([91, 0]),
      },
      fires: [],
      silent: [25, 80],
    },
    {
      title: 'a crawl waits, and others have been running for longer than it waits',
      series: {
        [oldest('crawl')]: AGING,
        [running('crawl')]: gauge([91, 10]),
        [jobs('done', 'crawl')]: gauge([91, 3]),
      },
      fires: [],
      silent: [25, 80],
    },
  ],
  QuarryQueueOld: [
    {
      title: 'a job waits for more than an hour while others are run, and then its turn comes',
      series: { [oldest('ingestion')]: '0+60x90 0x20', [jobs('done')]: counter([110, 1]) },
      fires: [77, 90],
      silent: [59, 70, 95],
      labels: { queue: 'ingestion' },
    },
    {
      title: 'jobs wait for half an hour',
      series: { [oldest('ingestion')]: gauge([90, 1_800]) },
      fires: [],
      silent: [80],
    },
  ],
  QuarryBacklogOld: [
    {
      title: 'uploads wait for six minutes and more, and are published again',
      series: { [backlog('interactive')]: gauge([30, 400], [60, 0]) },
      fires: [10, 25],
      silent: [3, 40],
      labels: { queue: 'ingestion' },
    },
    {
      title: 'the documents of a large site wait for half an hour, and uploads for a minute',
      series: { [backlog('bulk')]: gauge([90, 1_800]), [backlog('interactive')]: gauge([90, 60]) },
      fires: [],
      silent: [60],
    },
  ],
  QuarryJobsFail: [
    {
      title: 'half of the jobs of a queue fail for good for an hour and a half, and those of another do not',
      series: {
        [jobs('done')]: counter([200, 1]),
        [jobs('failed')]: counter([90, 1], [110, 0]),
        [jobs('retry')]: counter([200, 20]),
        [jobs('done', 'crawl')]: counter([200, 1]),
      },
      fires: [45, 90],
      silent: [20, 140, 190],
      labels: { queue: 'ingestion' },
    },
    {
      title: 'one job in six fails for good, and many are tried again',
      series: {
        [jobs('done')]: counter([100, 5]),
        [jobs('failed')]: counter([100, 1]),
        [jobs('retry')]: counter([100, 20]),
      },
      fires: [],
      silent: [60, 95],
    },
  ],
  QuarryRemovalsLate: [
    {
      title: 'a removal is not confirmed for more than an hour, and then it is',
      series: { 'quarry_removals_oldest_seconds{service="gateway"}': '0+60x90 0x20' },
      fires: [77, 90],
      silent: [59, 70, 95],
    },
    {
      title: 'removals wait for half an hour',
      series: { 'quarry_removals_oldest_seconds{service="gateway"}': gauge([90, 1_800]) },
      fires: [],
      silent: [80],
    },
  ],
  QuarryFetchesRefused: [
    {
      title: 'two requests in three get no answer for an hour and a half',
      series: {
        [fetches('2xx')]: counter([200, 1]),
        [fetches('host_unknown')]: counter([90, 1], [110, 0]),
        [fetches('timeout')]: counter([90, 1], [110, 0]),
      },
      fires: [45, 90],
      silent: [20, 140, 190],
    },
    {
      title: 'web servers answer, with errors of their own',
      series: {
        [fetches('2xx')]: counter([100, 1]),
        [fetches('5xx')]: counter([100, 9]),
        [fetches('4xx')]: counter([100, 9]),
      },
      fires: [],
      silent: [60, 95],
    },
    {
      title: 'one request in three gets no answer',
      series: { [fetches('2xx')]: counter([100, 2]), [fetches('timeout')]: counter([100, 1]) },
      fires: [],
      silent: [60, 95],
    },
  ],
};
