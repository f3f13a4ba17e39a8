import { formatAbsentValues, formatCounterValues, formatGaugeValues } from './samples.js';
import type { Scenarios } from './scenario.js';

const formatJobSeries = (outcome: string, queue = 'ingestion', pod = 'a'): string =>
  `quarry_job_duration_seconds_count{queue="${queue}",outcome="${outcome}",pod="${pod}"}`;
const formatOldestJobSeries = (queue: string, pod = 'a'): string =>
  `quarry_queue_oldest_job_seconds{queue="${queue}",pod="${pod}"}`;
const formatBacklogSeries = (jobClass: string): string =>
  `quarry_backlog_oldest_seconds{queue="ingestion",class="${jobClass}",pod="a"}`;
const formatRunningJobSeries = (queue: string): string => `quarry_jobs_running{queue="${queue}",pod="a"}`;
const formatFetchSeries = (outcome: string): string => `quarry_fetches_total{outcome="${outcome}"}`;
/**
 * Samples, in promtool's notation, of the age of a job that waits for 90 minutes: it grows by 60 seconds per minute.
 */
const AGING = '0+60x90';

/** Test scenarios of the alerts for queues, jobs, removals and fetches, keyed by the name of the alert. */
export const JOB_SCENARIOS: Scenarios = {
  QuarryQueueStuck: [
    {
      title: 'two gateways report a waiting job, and the only worker is unavailable for a time',
      series: {
        [formatOldestJobSeries('crawl', 'a')]: `0+60x40 0x20`,
        [formatOldestJobSeries('crawl', 'b')]: `0+60x40 0x20`,
        [formatJobSeries('done', 'crawl')]: `${formatCounterValues([3, 1])} ${formatAbsentValues(60)}`,
        [formatJobSeries('done', 'crawl', 'b')]: `${formatAbsentValues(40)} 1+1x20`,
        [formatJobSeries('done', 'ingestion')]: formatCounterValues([61, 5]),
      },
      fires: [25, 39],
      silent: [14, 18, 45, 60],
      labels: { queue: 'crawl' },
    },
    {
      title: 'a job waits, and the available workers run no job',
      series: {
        [formatOldestJobSeries('crawl')]: AGING,
        [formatJobSeries('done', 'crawl')]: formatGaugeValues([90, 12]),
        [formatRunningJobSeries('crawl')]: formatGaugeValues([90, 0]),
      },
      fires: [25, 80],
      silent: [14],
      labels: { queue: 'crawl' },
    },
    {
      title: 'a job waits behind running jobs',
      series: {
        [formatOldestJobSeries('ingestion')]: AGING,
        [formatJobSeries('done')]: formatCounterValues([91, 1]),
        [formatRunningJobSeries('ingestion')]: formatGaugeValues([91, 0]),
      },
      fires: [],
      silent: [25, 80],
    },
    {
      title: 'a crawl waits for less time than other crawls have been running',
      series: {
        [formatOldestJobSeries('crawl')]: AGING,
        [formatRunningJobSeries('crawl')]: formatGaugeValues([91, 10]),
        [formatJobSeries('done', 'crawl')]: formatGaugeValues([91, 3]),
      },
      fires: [],
      silent: [25, 80],
    },
  ],
  QuarryQueueOld: [
    {
      title: 'a job waits for more than an hour while other jobs run, and then runs',
      series: {
        [formatOldestJobSeries('ingestion')]: '0+60x90 0x20',
        [formatJobSeries('done')]: formatCounterValues([110, 1]),
      },
      fires: [77, 90],
      silent: [59, 70, 95],
      labels: { queue: 'ingestion' },
    },
    {
      title: 'jobs wait for half an hour',
      series: { [formatOldestJobSeries('ingestion')]: formatGaugeValues([90, 1_800]) },
      fires: [],
      silent: [80],
    },
  ],
  QuarryBacklogOld: [
    {
      title: 'uploads wait for six minutes and more, and are published again',
      series: { [formatBacklogSeries('interactive')]: formatGaugeValues([30, 400], [60, 0]) },
      fires: [10, 25],
      silent: [3, 40],
      labels: { queue: 'ingestion' },
    },
    {
      title: 'the documents of a large site wait for half an hour, and uploads for a minute',
      series: {
        [formatBacklogSeries('bulk')]: formatGaugeValues([90, 1_800]),
        [formatBacklogSeries('interactive')]: formatGaugeValues([90, 60]),
      },
      fires: [],
      silent: [60],
    },
  ],
  QuarryJobsFail: [
    {
      title: 'half of the jobs of one queue fail permanently for an hour and a half, and no job of another queue fails',
      series: {
        [formatJobSeries('done')]: formatCounterValues([200, 1]),
        [formatJobSeries('failed')]: formatCounterValues([90, 1], [110, 0]),
        [formatJobSeries('retry')]: formatCounterValues([200, 20]),
        [formatJobSeries('done', 'crawl')]: formatCounterValues([200, 1]),
      },
      fires: [45, 90],
      silent: [20, 140, 190],
      labels: { queue: 'ingestion' },
    },
    {
      title: 'one job in six fails permanently, and many are retried',
      series: {
        [formatJobSeries('done')]: formatCounterValues([100, 5]),
        [formatJobSeries('failed')]: formatCounterValues([100, 1]),
        [formatJobSeries('retry')]: formatCounterValues([100, 20]),
      },
      fires: [],
      silent: [60, 95],
    },
  ],
  QuarryRemovalsLate: [
    {
      title: 'a removal is confirmed after more than an hour',
      series: { 'quarry_removals_oldest_seconds{service="gateway"}': '0+60x90 0x20' },
      fires: [77, 90],
      silent: [59, 70, 95],
    },
    {
      title: 'removals wait for half an hour',
      series: { 'quarry_removals_oldest_seconds{service="gateway"}': formatGaugeValues([90, 1_800]) },
      fires: [],
      silent: [80],
    },
  ],
  QuarryFetchesRefused: [
    {
      title: 'two requests in three receive no response for an hour and a half',
      series: {
        [formatFetchSeries('2xx')]: formatCounterValues([200, 1]),
        [formatFetchSeries('host_unknown')]: formatCounterValues([90, 1], [110, 0]),
        [formatFetchSeries('timeout')]: formatCounterValues([90, 1], [110, 0]),
      },
      fires: [45, 90],
      silent: [20, 140, 190],
    },
    {
      title: 'web servers respond with errors',
      series: {
        [formatFetchSeries('2xx')]: formatCounterValues([100, 1]),
        [formatFetchSeries('5xx')]: formatCounterValues([100, 9]),
        [formatFetchSeries('4xx')]: formatCounterValues([100, 9]),
      },
      fires: [],
      silent: [60, 95],
    },
    {
      title: 'one request in three receives no response',
      series: {
        [formatFetchSeries('2xx')]: formatCounterValues([100, 2]),
        [formatFetchSeries('timeout')]: formatCounterValues([100, 1]),
      },
      fires: [],
      silent: [60, 95],
    },
  ],
};
