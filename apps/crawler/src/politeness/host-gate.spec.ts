import { memoryPacing } from '@quarry/queue/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { virtualClock, type VirtualClock } from '../testing/virtual-clock.js';
import { HostGate } from './host-gate.js';
import { hostPacing, type HostPacing } from './host-pacing.js';

const never = new AbortController().signal;
const log = { warn: () => undefined };
const nothing = (): Promise<void> => Promise.resolve();

/** Gates of crawlers that share one pace. */
function crawlers(concurrency: number, clock: VirtualClock = virtualClock()) {
  const pacing = memoryPacing(clock.now);
  const ofOne = (): HostPacing => hostPacing({ pacing, clock, log });
  return { clock, ofOne, gate: () => new HostGate({ concurrency, pacing: ofOne(), clock }) };
}

describe('HostGate', () => {
  it('lets requests to a host through in their order, each after its delay', async () => {
    const { clock, gate } = crawlers(10);
    const one = gate();
    const starts: (readonly [number, number])[] = [];
    const start = (n: number) => async () => void starts.push([n, clock.now()]);
    await clock.run(Promise.all([0, 1, 2, 3].map((n) => one.run('a', 100, never, start(n)))));
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
        const gate = crawlers(most).gate();
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
    const gate = crawlers(1).gate();
    const { promise, resolve: release } = Promise.withResolvers<string>();
    const held = gate.run('slow', 0, never, () => promise);
    await expect(gate.run('b', 0, never, () => Promise.resolve('through'))).resolves.toBe('through');
    release('end');
    await held;
  });

  it('gives the turn back when a request fails', async () => {
    const gate = crawlers(1).gate();
    await expect(gate.run('a', 0, never, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(gate.run('a', 0, never, () => Promise.resolve('next'))).resolves.toBe('next');
  });

  it('lets go of a request whose signal is aborted, and serves those behind it', async () => {
    const gate = crawlers(1).gate();
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

  it('lets go of a request whose signal is aborted while it waits for its turn', async () => {
    const { clock, gate } = crawlers(2);
    const one = gate();
    await one.run('a', 60_000, never, nothing);
    const stop = new AbortController();
    const waiting = one.run('a', 60_000, stop.signal, nothing);
    const behind = one.run('a', 60_000, never, async () => clock.now());
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(await clock.run(behind)).toBe(60_000);
  });

  describe('of several crawlers', () => {
    it('keep one pace together, and lose no turn', async () => {
      const { clock, gate } = crawlers(2);
      const starts: number[] = [];
      const start = async (): Promise<void> => void starts.push(clock.now());
      const gates = [gate(), gate(), gate()];
      await clock.run(Promise.all(gates.flatMap((each) => [1, 2, 3, 4].map(() => each.run('a', 200, never, start)))));
      expect(starts).toEqual(Array.from({ length: 12 }, (_, n) => n * 200));
    });

    it('are held by what one of them is told, those that wait for their turn already, too', async () => {
      const { clock, gate, ofOne } = crawlers(2);
      const [one, other] = [gate(), gate()];
      await one.run('a', 200, never, nothing);
      const waiting = other.run('a', 200, never, async () => clock.now());
      await ofOne().hold('a', 120_000, never);
      expect(await clock.run(waiting)).toBe(120_000);
    });

    it('begin no earlier when one takes over from another that is gone', async () => {
      const { clock, gate } = crawlers(2);
      const dead = gate();
      void dead.run('a', 7_000, never, () => new Promise(() => undefined));
      const started = await clock.run(gate().run('a', 7_000, never, async () => clock.now()));
      expect(started).toBe(7_000);
    });

    it('have not many times as much under way at a slow host, but as much as one', async () => {
      const { clock, gate } = crawlers(2);
      let active = 0;
      const peaks: number[] = [];
      const slow = async (): Promise<void> => {
        active += 1;
        peaks.push(active);
        await clock.wait(6_000);
        active -= 1;
      };
      const gates = [gate(), gate(), gate(), gate()];
      const askAll = (times: number): Promise<unknown> =>
        clock.run(
          Promise.all(
            gates.flatMap((each) => Array.from({ length: times }, async () => each.run('a', 200, never, slow))),
          ),
        );
      // By its first request each finds out how long they take.
      await askAll(1);
      expect(Math.max(...peaks.splice(0))).toBe(4);
      await askAll(10);
      expect(Math.max(...peaks)).toBe(2);
    });
  });
});

describe('hostPacing', () => {
  it('lets nothing begin while the store is away, says so once, and goes on when it is back', async () => {
    const clock = virtualClock();
    const warnings: unknown[] = [];
    const shared = memoryPacing(clock.now);
    const answer = <T>(give: () => Promise<T>): Promise<T> =>
      clock.now() < 10_000 ? Promise.reject(new Error('away')) : give();
    const pacing: typeof shared = {
      take: (key, gapMs) => answer(() => shared.take(key, gapMs)),
      hold: (key, ms) => answer(() => shared.hold(key, ms)),
    };
    const paced = hostPacing({ pacing, clock, log: { warn: (fields: unknown) => warnings.push(fields) } });
    await clock.run(paced.hold('a', 5_000, never));
    await clock.run(paced.turn('a', 0, never));
    expect(clock.now()).toBe(15_000);
    expect(warnings).toHaveLength(1);
  });

  it('waits for a store that is away no longer than its signal lets it', async () => {
    const away = (): Promise<never> => Promise.reject(new Error('away'));
    const clock = virtualClock();
    const stop = new AbortController();
    const turn = hostPacing({ pacing: { take: away, hold: away }, clock, log }).turn('a', 0, stop.signal);
    stop.abort(new Error('stopped'));
    await expect(turn).rejects.toThrow('stopped');
  });
});
