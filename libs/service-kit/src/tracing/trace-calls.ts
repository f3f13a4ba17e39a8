import { runInSpan } from './spans.js';

export interface TraceCallsOptions {
  /**
   * Returns true for an error that is an expected result and not a failure of the call, such as the error for a missing
   * object. Default: every error is a failure.
   */
  readonly isAnswer?: (error: unknown) => boolean;
}

/** Wraps an object so that each call of one of its methods creates a span `<name>.<method>` in the caller's trace. */
export function traceCalls<T extends object>(name: string, target: T, { isAnswer }: TraceCallsOptions = {}): T {
  return new Proxy(target, {
    get(_target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function' || typeof property === 'symbol') return value;
      return (...given: unknown[]) =>
        runInSpan(`${name}.${property}`, () => Reflect.apply(value, target, given) as unknown, isAnswer);
    },
  });
}
