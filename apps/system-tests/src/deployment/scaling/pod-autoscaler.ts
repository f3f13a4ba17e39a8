import type { ScalingRules } from '../manifest.js';

export interface ReplicaLimits {
  readonly min: number;
  readonly max: number;
  readonly scaleUp: ScalingRules;
  readonly scaleDown: ScalingRules;
}

/** Rules for adding pods that Kubernetes applies if the manifest of an autoscaler defines none. */
export const DEFAULT_SCALE_UP: ScalingRules = {
  stabilizationWindowSeconds: 0,
  policies: [
    { type: 'Percent', value: 100, periodSeconds: 15 },
    { type: 'Pods', value: 4, periodSeconds: 15 },
  ],
};

/** Seconds between two decisions of Kubernetes' autoscaler (`--horizontal-pod-autoscaler-sync-period`). */
export const SYNC_SECONDS = 15;

/**
 * Share by which a metric may deviate from its target before the controller changes the number of pods
 * (`--horizontal-pod-autoscaler-tolerance`).
 */
const TOLERANCE = 0.1;

/**
 * Computes the number of pods that brings a metric to its target, as Kubernetes' autoscaler does.
 *
 * @param ratio the value of the metric with `current` pods, divided by the target of the metric
 */
export function computeDesiredReplicas(current: number, ratio: number): number {
  // Rounding removes floating-point errors. The controller has none, because it calculates with integers.
  const isTolerated = Math.abs(Math.round(ratio * 1e6) / 1e6 - 1) <= TOLERANCE;
  return isTolerated ? current : Math.ceil(Math.round(ratio * current * 1e6) / 1e6);
}

interface Change {
  readonly at: number;
  readonly pods: number;
}

/**
 * Limits the number of pods that the metrics recommend, as the controller of a HorizontalPodAutoscaler does.
 *
 * Source: pkg/controller/podautoscaler/horizontal.go of Kubernetes (`normalizeDesiredReplicasWithBehaviors`).
 */
export class PodAutoscaler {
  readonly #limits: ReplicaLimits;
  readonly #recommendations: Change[] = [];
  readonly #added: Change[] = [];
  readonly #removed: Change[] = [];

  constructor(limits: ReplicaLimits) {
    this.#limits = limits;
  }

  /**
   * Returns the next number of pods. Must be called once per `SYNC_SECONDS`.
   *
   * @param at the simulated time in seconds
   */
  computeReplicas(at: number, current: number, desired: number): number {
    const { min, max } = this.#limits;
    const stabilized = this.#stabilize(at, current, desired);
    const next = Math.min(max, Math.max(min, this.#limitRate(at, current, stabilized)));
    if (next > current) this.#added.push({ at, pods: next - current });
    if (next < current) this.#removed.push({ at, pods: current - next });
    return next;
  }

  /**
   * Limits the number of pods by the recent values of `desired`. Returns `current`, but at least the lowest value in
   * the window of `scaleUp`, and at most the highest in the window of `scaleDown`.
   */
  #stabilize(at: number, current: number, desired: number): number {
    this.#recommendations.push({ at, pods: desired });
    const { scaleUp, scaleDown } = this.#limits;
    const listRecent = ({ stabilizationWindowSeconds: seconds }: ScalingRules): readonly number[] =>
      this.#recommendations.filter((each) => each.at > at - seconds || each.at === at).map(({ pods }) => pods);
    const lowest = Math.min(...listRecent(scaleUp));
    const highest = Math.max(...listRecent(scaleDown));
    return Math.min(Math.max(current, lowest), highest);
  }

  #limitRate(at: number, current: number, desired: number): number {
    const sumSince = (changes: readonly Change[], seconds: number): number =>
      changes.filter((change) => change.at > at - seconds).reduce((sum, { pods }) => sum + pods, 0);
    const getStart = (seconds: number): number =>
      current - sumSince(this.#added, seconds) + sumSince(this.#removed, seconds);
    const computeAllowed = ({ type, value, periodSeconds }: ScalingRules['policies'][number], sign: 1 | -1): number => {
      const start = getStart(periodSeconds);
      return type === 'Pods' ? start + sign * value : start * (1 + (sign * value) / 100);
    };
    const { scaleUp, scaleDown } = this.#limits;
    if (desired > current) {
      const limits = scaleUp.policies.map((policy) => Math.ceil(computeAllowed(policy, 1)));
      return Math.min(desired, Math.max(current, ...limits));
    }
    const limits = scaleDown.policies.map((policy) => Math.floor(computeAllowed(policy, -1)));
    return Math.max(desired, Math.min(current, ...limits));
  }
}
