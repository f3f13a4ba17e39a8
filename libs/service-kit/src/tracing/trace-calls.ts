import { inSpan } from './spans.js';

export interface TraceCallsOptions {
  /** Errors that are answers, such as that something is not there: their spans are no failures. */
  readonly isAnswer?: (error: unknown) => boolean;
}

/** Returns the same object, each call of whose methods is a span of its caller's trace: `name.method`. */
export function traceCalls<T extends object>(name: string, target: T, { isAnswer }: TraceCallsOptions = {}): T {
  return new Proxy(target, {
    get(_target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function' || typeof property === 'symbol') return value;
      return (...given: unknown[]) =>
        inSpan(`${name}.${property}`, () => Reflect.apply(value, target, given) as unknown, isAnswer);
    },
  });
}
