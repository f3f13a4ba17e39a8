import { computeDesiredReplicas, PodAutoscaler, SYNC_SECONDS } from './pod-autoscaler.js';
import type { CpuScaler } from './read-scalers.js';
import { FLAP_SECONDS } from './simulate-jobs.js';

export interface RequestSimulation {
  /**
   * Longest time, in seconds, for which the load exceeded the requested processor time of the ready pods. Time at the
   * maximum number of pods does not count.
   */
  readonly longestOverload: number;
  /** Number of times that the autoscaler added pods within `FLAP_SECONDS` after a removal of pods. */
  readonly flaps: number;
  readonly maxReplicas: number;
}

/** Time from the creation of a pod to its first request, in seconds. */
const POD_START_SECONDS = 30;

/**
 * Simulates a service that a HorizontalPodAutoscaler scales while the load by requests changes.
 *
 * @param getLoad returns the number of cores that the requests need at the simulated time `at`, in seconds
 * @param seconds duration of the simulated time
 */
export function simulateRequests(
  { limits, targetUtilization, requestedCores }: CpuScaler,
  getLoad: (at: number) => number,
  seconds: number,
): RequestSimulation {
  const autoscaler = new PodAutoscaler(limits);
  let readyAt: number[] = Array.from({ length: limits.min }, () => 0);
  let [removedAt, flaps, overload, longestOverload, maxReplicas] = [-Infinity, 0, 0, 0, limits.min];
  for (let at = 0; at < seconds; at += SYNC_SECONDS) {
    const ready = readyAt.filter((time) => time <= at).length;
    const utilization = getLoad(at) / (ready * requestedCores);
    overload = utilization > 1 && readyAt.length < limits.max ? overload + SYNC_SECONDS : 0;
    longestOverload = Math.max(longestOverload, overload);
    const current = readyAt.length;
    const ratio = (utilization * 100 * ready) / (targetUtilization * current);
    const replicas = autoscaler.computeReplicas(at, current, computeDesiredReplicas(current, ratio));
    if (replicas > current && at - removedAt <= FLAP_SECONDS) {
      flaps += 1;
      removedAt = -Infinity;
    }
    if (replicas < current) removedAt = at;
    const added = Array.from({ length: Math.max(0, replicas - current) }, () => at + POD_START_SECONDS);
    readyAt = [...readyAt.slice(0, replicas), ...added];
    maxReplicas = Math.max(maxReplicas, replicas);
  }
  return { longestOverload, flaps, maxReplicas };
}
