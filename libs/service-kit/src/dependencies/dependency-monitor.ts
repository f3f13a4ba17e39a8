import { hasResolvedWithin } from '@quarry/cancellation';
import type { Dependency } from './dependency.js';

/** Holds the result of the last check of a dependency. */
export interface DependencyState {
  readonly dependency: Dependency;
  /** Reason why the dependency is unavailable. Undefined: it is available. */
  readonly error: string | undefined;
}

/** Checks the dependencies of a service. */
export interface DependencyMonitor {
  checkDependencies(): Promise<readonly DependencyState[]>;
}

const CHECK_TIMEOUT_MS = 2_000;
/**
 * Milliseconds for which the result of a check is cached. Anyone can request the readiness of a service, so the cache
 * protects the dependencies from too many checks.
 */
const MAX_AGE_MS = 1_000;

/**
 * Creates a monitor that checks all dependencies concurrently. Calls of `checkDependencies` within a second share one
 * check.
 *
 * @param now returns a time in milliseconds that never decreases
 */
export function createDependencyMonitor(
  dependencies: readonly Dependency[],
  now: () => number = () => performance.now(),
): DependencyMonitor {
  let latest: { readonly at: number; readonly states: Promise<readonly DependencyState[]> } | undefined;
  return {
    checkDependencies: () => {
      const at = now();
      if (latest === undefined || at - latest.at >= MAX_AGE_MS) {
        latest = { at, states: Promise.all(dependencies.map(checkDependency)) };
      }
      return latest.states;
    },
  };
}

async function checkDependency(dependency: Dependency): Promise<DependencyState> {
  try {
    if (!(await hasResolvedWithin(dependency.check(), CHECK_TIMEOUT_MS)))
      throw new Error(`no response within ${CHECK_TIMEOUT_MS} ms`);
    return { dependency, error: undefined };
  } catch (error) {
    return { dependency, error: getErrorMessage(error) };
  }
}

/**
 * Returns the message of an error. Joins the messages of the inner errors if an AggregateError has no message. Node
 * throws such an error if several addresses of a host refuse the connection.
 */
function getErrorMessage(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(getErrorMessage).join(', ');
  return error instanceof Error ? error.message : String(error);
}
