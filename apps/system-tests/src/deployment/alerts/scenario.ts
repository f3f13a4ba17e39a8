/** What happens, and what an alert makes of it. */
export interface Scenario {
  readonly title: string;
  /** Series by name and labels: a value for each minute. */
  readonly series: Readonly<Record<string, string>>;
  /** The minutes at which the alert fires, and at which it does not. */
  readonly fires: readonly number[];
  readonly silent: readonly number[];
  /** Those that the alert adds to its own, where it fires. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** By the name of the alert. */
export type Scenarios = Readonly<Record<string, readonly Scenario[]>>;
