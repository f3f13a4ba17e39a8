import type { SimulatedJob } from './simulate-jobs.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * Creates jobs that arrive evenly between two times of a day, with durations between two bounds. All times are in
 * seconds.
 */
function createEvenlySpreadJobs(
  count: number,
  [from, to]: readonly [number, number],
  [shortest, longest]: readonly [number, number],
): readonly SimulatedJob[] {
  return Array.from({ length: count }, (_, index) => ({
    at: from + Math.floor((index * (to - from)) / count),
    // The fractional parts of multiples of the golden ratio are spread evenly, and are the same in each test run.
    seconds: shortest + ((index * 0.618_034) % 1) * (longest - shortest),
  }));
}

/**
 * Jobs of the ingestion workers during a day: many uploads by day, few at night, and syncs at 02:00. One tenant imports
 * 5,000 files at once, another 30,000. Some files are large scans. No job arrives after 20:00.
 */
export const DAY_OF_DOCUMENTS: readonly SimulatedJob[] = [
  ...createEvenlySpreadJobs(60, [0, 6 * HOUR], [3, 20]),
  ...createEvenlySpreadJobs(3_000, [2 * HOUR, 2.1 * HOUR], [2, 10]),
  ...createEvenlySpreadJobs(2_000, [6 * HOUR, 9 * HOUR], [3, 20]),
  ...createEvenlySpreadJobs(18_000, [9 * HOUR, 17 * HOUR], [3, 20]),
  ...createEvenlySpreadJobs(5_000, [10 * HOUR, 10 * HOUR + 60], [3, 20]),
  ...createEvenlySpreadJobs(30_000, [14 * HOUR, 14 * HOUR + 600], [3, 20]),
  ...createEvenlySpreadJobs(80, [9 * HOUR, 18 * HOUR], [600, 3_600]),
  ...createEvenlySpreadJobs(500, [17 * HOUR, 20 * HOUR], [3, 20]),
];

/**
 * Jobs of the crawlers during a day: single pages all day, sites in the morning, and scheduled sites at 22:00. The
 * sites in the morning take one to six hours.
 */
export const DAY_OF_CRAWLS: readonly SimulatedJob[] = [
  ...createEvenlySpreadJobs(1_500, [0, DAY], [5, 30]),
  ...createEvenlySpreadJobs(40, [8 * HOUR, 12 * HOUR], [HOUR, 6 * HOUR]),
  ...createEvenlySpreadJobs(60, [22 * HOUR, 22.5 * HOUR], [HOUR, 4 * HOUR]),
];

/**
 * Jobs of catalog-sync during a day: hourly syncs of 40 shops, and syncs of other shops between 06:00 and 20:00. The
 * first syncs of ten large shops take hours.
 */
export const DAY_OF_LISTINGS: readonly SimulatedJob[] = [
  ...createEvenlySpreadJobs(1_000, [6 * HOUR, 20 * HOUR], [30, 400]),
  ...Array.from({ length: 24 }, (_, hour) =>
    createEvenlySpreadJobs(40, [hour * HOUR, hour * HOUR + 120], [10, 300]),
  ).flat(),
  ...createEvenlySpreadJobs(10, [9 * HOUR, 15 * HOUR], [HOUR, 5 * HOUR]),
];

/**
 * Defines the load by requests at one time of a day: the seconds since midnight, and the needed processor time in
 * cores. The load changes linearly between points.
 */
type LoadPoint = readonly [at: number, cores: number];

const LOAD: readonly LoadPoint[] = [
  [0, 0.1],
  [6 * HOUR, 0.1],
  [9 * HOUR, 0.9],
  [12 * HOUR, 0.7],
  [13 * HOUR, 0.5],
  [14 * HOUR, 1],
  // A tenant's campaign causes more requests for half an hour.
  [15 * HOUR, 1],
  [15 * HOUR + 60, 1.3],
  [15.5 * HOUR, 1.3],
  [15.5 * HOUR + 60, 0.9],
  [18 * HOUR, 0.6],
  [23 * HOUR, 0.1],
  [DAY, 0.1],
];

/**
 * Returns the processor time that requests need at a time of the day, in cores. It deviates from the values of `LOAD`
 * by at most a fifth.
 *
 * @param at seconds since midnight
 */
export function computeRequestLoad(at: number): number {
  const next = LOAD.findIndex(([time]) => time > at);
  const [before, after] = [LOAD[next - 1] ?? LOAD[0], LOAD[next]];
  if (before === undefined || after === undefined) return 0;
  const [from, low] = before;
  const [to, high] = after;
  const steady = low + ((high - low) * (at - from)) / (to - from);
  return steady * (1 + 0.2 * Math.sin(at / 37) * Math.cos(at / 101));
}
