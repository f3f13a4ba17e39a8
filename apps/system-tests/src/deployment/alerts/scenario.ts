/** Metric values over time, with the minutes at which an alert is expected to fire. */
export interface Scenario {
  readonly title: string;
  /** A series of values, one per minute, by metric name and labels. */
  readonly series: Readonly<Record<string, string>>;
  /** The minutes at which the alert fires. */
  readonly fires: readonly number[];
  /** The minutes at which it does not fire. */
  readonly silent: readonly number[];
  /** The labels that a firing alert has beside those of its rule. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Describes the scenarios of each alert, by its name. */
export type Scenarios = Readonly<Record<string, readonly Scenario[]>>;
