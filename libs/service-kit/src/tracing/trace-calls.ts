import { runInSpan } from './spans.js';

export interface TraceCallsOptions {
  /** Selects errors that are expected results, such as a missing object. Their spans are not failures. */
  readonly isAnswer?: (error: unknown) => boolean;
}

/** Wraps an object so that each call of its methods is a span of the caller's trace: `name.method`. */
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
