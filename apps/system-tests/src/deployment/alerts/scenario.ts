/** Metric values over time, with the minutes at which an alert is expected to fire. */
export interface Scenario {
  readonly title: string;
  /** Values in the notation of promtool, one per minute, by metric name and labels. */
  readonly series: Readonly<Record<string, string>>;
  /** The minutes at which the alert is expected to fire. */
  readonly fires: readonly number[];
  /** The minutes at which the alert is expected not to fire. Minutes in neither list are not checked. */
  readonly silent: readonly number[];
  /** The labels of the firing alert in addition to the labels of the rule. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** The scenarios of each alert, by the name of the alert. */
export type Scenarios = Readonly<Record<string, readonly Scenario[]>>;
