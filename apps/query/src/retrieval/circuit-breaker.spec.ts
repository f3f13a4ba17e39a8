import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.js';

function breaker() {
  const clock = { ms: 0 };
  return { clock, breaker: new CircuitBreaker({ failures: 2, openMs: 100, now: () => clock.ms }) };
}

describe('a circuit breaker', () => {
  it('admits calls until so many have failed in a row', () => {
    const { breaker: tested } = breaker();
    tested.failed();
    tested.succeeded();
    tested.failed();
    expect(tested.admits()).toBe(true);
    tested.failed();
    expect(tested.admits()).toBe(false);
  });

  it('admits one probe after its time, and nothing else until the probe has ended', () => {
    const { breaker: tested, clock } = breaker();
    tested.failed();
    tested.failed();
    clock.ms = 99;
    expect(tested.admits()).toBe(false);
    clock.ms = 100;
    expect([1, 2, 3].map(() => tested.admits())).toEqual([true, false, false]);
    tested.succeeded();
    expect([1, 2].map(() => tested.admits())).toEqual([true, true]);
  });

  it('refuses again after a probe that failed', () => {
    const { breaker: tested, clock } = breaker();
    tested.failed();
    tested.failed();
    clock.ms = 150;
    expect(tested.admits()).toBe(true);
    tested.failed();
    clock.ms = 249;
    expect(tested.admits()).toBe(false);
    clock.ms = 250;
    expect(tested.admits()).toBe(true);
  });

  it('lets the next call probe when the probe was given up', () => {
    const { breaker: tested, clock } = breaker();
    tested.failed();
    tested.failed();
    clock.ms = 100;
    expect(tested.admits()).toBe(true);
    tested.abandoned();
    expect([tested.admits(), tested.admits()]).toEqual([true, false]);
  });
});
