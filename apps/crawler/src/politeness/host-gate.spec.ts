import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../testing/manual-clock.js';
import { HostGate } from './host-gate.js';

const never = new AbortController().signal;

describe('HostGate', () => {
  it('lets requests to a host through in their order, each after its delay', async () => {
    const clock = manualClock(0);
    const gate = new HostGate(10, clock);
    const starts: (readonly [number, number])[] = [];
    await Promise.all(
      [0, 1, 2, 3].map((n) =>
        gate.run('a', 100, never, () => {
          starts.push([n, clock.now()]);
          return Promise.resolve();
        }),
      ),
    );
    expect(starts).toEqual([
      [0, 0],
      [1, 100],
      [2, 200],
      [3, 300],
    ]);
  });

  it('keeps to its number of requests at a time, whatever their number and the order in which they end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.scheduler(), async (most, scheduler) => {
        const gate = new HostGate(most, manualClock(0));
        let active = 0;
        let peak = 0;
        const runs = Array.from({ length: 9 }, (_, n) =>
          gate.run('a', 0, never, async () => {
            active += 1;
            peak = Math.max(peak, active);
            await scheduler.schedule(Promise.resolve(n));
            active -= 1;
          }),
        );
        await scheduler.waitFor(Promise.all(runs));
        expect(peak).toBe(most);
      }),
      { numRuns: 50 },
    );
  });

  it('does not let one host wait for another', async () => {
    const clock = manualClock(0);
    const gate = new HostGate(1, clock);
    const { promise, resolve: release } = Promise.withResolvers<string>();
    const held = gate.run('slow', 0, never, () => promise);
    await expect(gate.run('b', 0, never, () => Promise.resolve('through'))).resolves.toBe('through');
    release('end');
    await held;
  });

  it('lets nothing through to a host that is held', async () => {
    const clock = manualClock(0);
    const gate = new HostGate(2, clock);
    gate.hold('a', 5_000);
    await gate.run('a', 0, never, () => Promise.resolve());
    expect(clock.now()).toBe(5_000);
  });

  it('gives the turn back when a request fails', async () => {
    const gate = new HostGate(1, manualClock(0));
    await expect(gate.run('a', 0, never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(gate.run('a', 0, never, () => Promise.resolve('next'))).resolves.toBe('next');
  });

  it('lets go of a request whose signal is aborted, and serves those behind it', async () => {
    const gate = new HostGate(1, manualClock(0));
    const { promise, resolve: release } = Promise.withResolvers<string>();
    const first = gate.run('a', 0, never, () => promise);
    const stop = new AbortController();
    const second = gate.run('a', 0, stop.signal, () => Promise.resolve('second'));
    const third = gate.run('a', 0, never, () => Promise.resolve('third'));
    stop.abort(new Error('stopped'));
    release('first');
    await expect(second).rejects.toThrow('stopped');
    await expect(first).resolves.toBe('first');
    await expect(third).resolves.toBe('third');
  });
});
