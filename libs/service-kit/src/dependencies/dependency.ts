/** A server or another service that a service works with. */
export interface Dependency {
  /** Stands in `Quarry-Degraded` and in the label `dependency` of `quarry_dependency_up`. */
  readonly name: string;
  /** Whether nothing that a replica serves works without it: the replica is not ready then. Otherwise it is degraded. */
  readonly required: boolean;
  /** What fails while it is unavailable, in the words of docs/operations.md. Empty: nothing does. */
  readonly neededBy: readonly string[];
  /** What waits until it is available again. Absent: nothing does. */
  readonly delays?: string;
  /** Resolves when it answers; rejects with the reason when it does not. */
  readonly check: () => Promise<void>;
}

/** What `check` of a dependency calls. */
export interface Pingable {
  ping(): Promise<void>;
}
