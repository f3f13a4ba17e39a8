import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.js';

function createBreaker() {
  const clock = { ms: 0 };
  return { clock, breaker: new CircuitBreaker({ failures: 2, openMs: 100, now: () => clock.ms }) };
}

describe('CircuitBreaker', () => {
  it('admits calls until the maximum number of consecutive failures', () => {
    const { breaker: tested } = createBreaker();
    tested.recordFailure();
    tested.recordSuccess();
    tested.recordFailure();
    expect(tested.canCall()).toBe(true);
    tested.recordFailure();
    expect(tested.canCall()).toBe(false);
  });

  it('admits one probe after the open time, and no other call until the probe has ended', () => {
    const { breaker: tested, clock } = createBreaker();
    tested.recordFailure();
    tested.recordFailure();
    clock.ms = 99;
    expect(tested.canCall()).toBe(false);
    clock.ms = 100;
    expect([1, 2, 3].map(() => tested.canCall())).toEqual([true, false, false]);
    tested.recordSuccess();
    expect([1, 2].map(() => tested.canCall())).toEqual([true, true]);
  });

  it('opens again after a failed probe', () => {
    const { breaker: tested, clock } = createBreaker();
    tested.recordFailure();
    tested.recordFailure();
    clock.ms = 150;
    expect(tested.canCall()).toBe(true);
    tested.recordFailure();
    clock.ms = 249;
    expect(tested.canCall()).toBe(false);
    clock.ms = 250;
    expect(tested.canCall()).toBe(true);
  });

  it('admits another probe if the outcome of the first one is unknown', () => {
    const { breaker: tested, clock } = createBreaker();
    tested.recordFailure();
    tested.recordFailure();
    clock.ms = 100;
    expect(tested.canCall()).toBe(true);
    tested.recordAbandoned();
    expect([tested.canCall(), tested.canCall()]).toEqual([true, false]);
  });
});
