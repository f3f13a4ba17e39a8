/** Describes a server or another service that a service depends on. */
export interface Dependency {
  /** Name of the dependency in `Quarry-Degraded` and in the label `dependency` of `quarry_dependency_up`. */
  readonly name: string;
  /** True if a process of the service is not ready without the dependency. Otherwise, the process is degraded. */
  readonly required: boolean;
  /** Operations that fail while the dependency is unavailable, in the terms of docs/operations.md. Empty: none. */
  readonly neededBy: readonly string[];
  /** Work that is delayed until the dependency is available again. Absent: none. */
  readonly delays?: string;
  /** Resolves when the dependency responds; rejects with the reason when it does not. */
  readonly check: () => Promise<void>;
}

/** Describes a client of a dependency that can check its availability. */
export interface Pingable {
  ping(): Promise<void>;
}
