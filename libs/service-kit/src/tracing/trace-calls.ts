import { inSpan } from './spans.js';

/** The same object, each call of whose methods is a part of its caller's trace: `name.method`. */
export function traceCalls<T extends object>(name: string, target: T): T {
  return new Proxy(target, {
    get(_target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function' || typeof property === 'symbol') return value;
      return (...given: unknown[]) =>
        inSpan(`${name}.${property}`, () => Reflect.apply(value, target, given) as unknown);
    },
  });
}
