/** Describes a server or another service that a service depends on. */
export interface Dependency {
  /** Name of the dependency in the header `Quarry-Degraded` and in the label `dependency` of `quarry_dependency_up`. */
  readonly name: string;
  /**
   * True if a process of the service is not ready without the dependency. False: without the dependency, the process is
   * only degraded.
   */
  readonly required: boolean;
  /** Operations that fail while the dependency is unavailable, in the words of docs/operations.md. */
  readonly neededBy: readonly string[];
  /** Work that is delayed until the dependency is available again. Absent: no work is delayed. */
  readonly delays?: string;
  /** Resolves if the dependency responds. Otherwise rejects with the reason. */
  readonly check: () => Promise<void>;
}

/** Describes a client that can check the availability of its server. */
export interface Pingable {
  ping(): Promise<void>;
}
