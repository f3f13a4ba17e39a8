/** Describes metric values over time, and the minutes at which an alert is expected to fire or to be silent. */
export interface Scenario {
  readonly title: string;
  /** Values of time series, one per minute, in the notation of promtool, keyed by series name with labels. */
  readonly series: Readonly<Record<string, string>>;
  /** The minutes at which the alert is expected to fire. */
  readonly fires: readonly number[];
  /** The minutes at which the alert is expected not to fire. Minutes in neither list are not checked. */
  readonly silent: readonly number[];
  /** The labels of the firing alert in addition to the labels of the rule. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Maps the name of each alert to its test scenarios. */
export type Scenarios = Readonly<Record<string, readonly Scenario[]>>;
