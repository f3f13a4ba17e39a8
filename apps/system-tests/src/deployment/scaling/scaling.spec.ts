import { describe, expect, it } from 'vitest';
import { DAY_OF_CRAWLS, DAY_OF_DOCUMENTS, DAY_OF_LISTINGS, computeRequestLoad } from './days.js';
import type { ScalingRules } from '../manifest.js';
import { type JobScaler, readCpuScaler, readJobScaler } from './read-scalers.js';
import { type SimulatedJob, simulateJobs } from './simulate-jobs.js';
import { simulateRequests } from './simulate-requests.js';

const HOUR = 3_600;

/**
 * Maximum time that a job may wait while there are fewer pods than the maximum, in seconds. KEDA polls every 10 s, the
 * autoscaler at most doubles the pods every 15 s, and a new pod starts in 45 s.
 */
const MAX_WAIT = 120;
/** Maximum number of flaps per day. A flap is an addition of pods within ten minutes after a removal of pods. */
const MAX_FLAPS = 4;
/**
 * Maximum number of times per day that one job is returned to the queue because its pod is removed. Another pod then
 * resumes the job.
 */
const MAX_RETURNS = 3;

const DAYS = [
  ['ingestion-worker', 'QUARRY_INGESTION_CONCURRENCY', DAY_OF_DOCUMENTS],
  ['crawler', 'QUARRY_CRAWLER_CONCURRENCY', DAY_OF_CRAWLS],
  ['catalog-sync', 'QUARRY_CATALOG_CONCURRENCY', DAY_OF_LISTINGS],
] as const;

const UNLIMITED: ScalingRules = {
  stabilizationWindowSeconds: 0,
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

describe.each(DAYS)('autoscaling of %s over a day', (name, variable, jobs) => {
  const scaler = readJobScaler(name, variable);
  const simulateWith = (change: Partial<JobScaler>) => simulateJobs({ ...scaler, ...change }, jobs);

  it('jobs wait at most two minutes while the number of pods is below its maximum, running jobs always have enough pods, and the number of pods flaps at most 4 times a day', () => {
    const day = simulateWith({});
    expect(day.finished).toBe(jobs.length);
    expect(day.longestWait).toBeLessThanOrEqual(MAX_WAIT);
    expect(day.flaps).toBeLessThanOrEqual(MAX_FLAPS);
    expect(day.displacedJobs).toBeLessThanOrEqual(0);
    expect(day.mostReturns).toBeLessThanOrEqual(MAX_RETURNS);
    expect(day.maxReplicas).toBeGreaterThan(scaler.limits.min);
  });

  it('jobs wait over two minutes if the scaling target per pod exceeds the number of jobs that a pod runs at once', () => {
    expect(simulateWith({ target: 2 * scaler.target }).longestWait).toBeGreaterThan(MAX_WAIT);
  });

  it('if the scaling formula omits running jobs, too few pods remain for the running jobs', () => {
    const withoutActive = simulateWith({ formula: 'backlog + waiting + prioritized' });
    expect(withoutActive.displacedJobs).toBeGreaterThan(0);
  });

  it('without a stabilization window and a rate limit for removals, pods are often added again soon after a removal', () => {
    const limits = { ...scaler.limits, scaleDown: UNLIMITED };
    expect(simulateWith({ limits, cooldownSeconds: 0 }).flaps).toBeGreaterThan(10 * MAX_FLAPS);
  });
});

describe.each(DAYS)('autoscaling of %s with long jobs', (name, variable) => {
  const scaler = readJobScaler(name, variable);
  const { concurrency, limits } = scaler;
  const wholePods = Array.from({ length: limits.max - 1 }, (_, index) => index + 1);
  /** Creates jobs of eight hours that occupy `pods` pods completely, and a short job that arrives an hour later. */
  const fillPods = (pods: number): readonly SimulatedJob[] => [
    ...Array.from({ length: pods * concurrency }, () => ({ at: 0, seconds: 8 * HOUR })),
    { at: HOUR, seconds: 10 },
  ];

  it('if jobs of eight hours occupy any number of pods below the maximum, a short job that arrives later waits at most two minutes', () => {
    const waits = wholePods.map((pods) => simulateJobs(scaler, fillPods(pods)).longestWait);
    expect(Math.max(...waits)).toBeLessThanOrEqual(MAX_WAIT);
  });

  it('if the scaling formula only sums the jobs, a short job can wait for more than an hour, because the autoscaler ignores deviations of up to 10 % from the target', () => {
    const sum = { ...scaler, formula: 'backlog + waiting + prioritized + active' };
    const waits = wholePods.map((pods) => simulateJobs(sum, fillPods(pods)).longestWait);
    expect(Math.max(...waits)).toBeGreaterThan(HOUR);
  });
});

describe.each(['gateway', 'query'])('autoscaling of %s over a day of requests', (name) => {
  const scaler = readCpuScaler(name);
  const simulateWith = (change: Partial<typeof scaler>) =>
    simulateRequests({ ...scaler, ...change }, computeRequestLoad, 24 * HOUR);

  it('with the settings of the manifests, requests overload the pods for at most two minutes, and the number of pods flaps at most 4 times a day', () => {
    const day = simulateWith({});
    expect(day.maxReplicas).toBeGreaterThan(scaler.limits.min);
    expect(day.longestOverload).toBeLessThanOrEqual(MAX_WAIT);
    expect(day.flaps).toBeLessThanOrEqual(MAX_FLAPS);
  });

  it('without a stabilization window for removals, pods are often added again soon after a removal', () => {
    const limits = { ...scaler.limits, scaleDown: UNLIMITED };
    expect(simulateWith({ limits }).flaps).toBeGreaterThan(10 * MAX_FLAPS);
  });
});
