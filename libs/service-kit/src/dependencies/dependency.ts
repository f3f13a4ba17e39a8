/** Describes a server or another service that a service depends on. */
export interface Dependency {
  /** Appears in `Quarry-Degraded` and in the label `dependency` of `quarry_dependency_up`. */
  readonly name: string;
  /** True when the replica can serve nothing without it, and is not ready then. Otherwise, it is degraded. */
  readonly required: boolean;
  /** Operations that fail while it is unavailable, in the words of docs/operations.md. Empty: none. */
  readonly neededBy: readonly string[];
  /** Operations that wait until it is available again. Absent: none. */
  readonly delays?: string;
  /** Resolves when it answers; rejects with the reason when it does not. */
  readonly check: () => Promise<void>;
}

/** Describes a port that `check` of a dependency calls. */
export interface Pingable {
  ping(): Promise<void>;
}
