import { hostname } from 'node:os';
import type { Dependency } from './dependency.js';
import { createDependencyMonitor } from './dependency-monitor.js';

/**
 * Describes a configured component of a service, such as `{ kind: 'vector_store', name: 'qdrant' }`. `name` contains no
 * address and no secret.
 */
export interface ServiceComponent {
  readonly kind: string;
  readonly name: string;
}

/** Describes a service: the data from which its status is created. */
export interface DescribedService {
  /** The name of the service in logs, such as `crawler`. */
  readonly name: string;
  /** The version of Quarry. */
  readonly version: string;
  readonly dependencies: readonly Dependency[];
  /** Lists the configured components, which may change while the service runs. */
  readonly listComponents: () => readonly ServiceComponent[];
}

/** Describes the state of one process of a service. */
export interface ServiceStatus {
  readonly name: string;
  /** Identifies the process by the name of its host and its process id. */
  readonly instance: string;
  readonly version: string;
  /** Time at which the process started, in ISO 8601. */
  readonly startedAt: string;
  readonly dependencies: readonly {
    readonly name: string;
    readonly required: boolean;
    /** The reason why the dependency is unavailable. Null: the dependency is available. */
    readonly reason: string | null;
    /** Operations that fail and work that is delayed while the dependency is unavailable. */
    readonly affects: readonly string[];
  }[];
  readonly components: readonly ServiceComponent[];
}

/** Returns the id of this process, which is the `instance` in its `ServiceStatus`. */
export function getInstanceId(): string {
  return `${hostname()}-${process.pid}`;
}

/**
 * Creates a function that checks the dependencies of a service and returns the status of this process. Calls of the
 * function within a second share one check.
 */
export function createStatusReader(service: DescribedService): () => Promise<ServiceStatus> {
  const monitor = createDependencyMonitor(service.dependencies);
  const startedAt = new Date(Date.now() - process.uptime() * 1_000).toISOString();
  return async () => {
    const states = await monitor.checkDependencies();
    return {
      name: service.name,
      instance: getInstanceId(),
      version: service.version,
      startedAt,
      dependencies: states.map(({ dependency: { name, required, neededBy, delays }, error }) => ({
        ...{ name, required },
        reason: error === undefined ? null : redactCredentials(error),
        affects: [...neededBy, ...(delays === undefined ? [] : [delays])],
      })),
      components: service.listComponents(),
    };
  };
}

/** Removes user names and passwords from all URLs in a text. */
export function redactCredentials(text: string): string {
  return text.replaceAll(/(\b[a-z][a-z\d+.-]*:\/\/)[^\s/?#]*@/giu, '$1');
}
