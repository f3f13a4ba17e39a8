import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createDeadline, linkSignals } from './link-signals.js';

const countListeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('linkSignals', () => {
  it.each([0, 1])(
    'a linked signal aborts with the reason of the source signal at index %i if that source aborts',
    (at) => {
      const sources = [new AbortController(), new AbortController()] as const;
      const { signal } = linkSignals(...sources.map((source) => source.signal));
      expect(signal.aborted).toBe(false);
      const reason = new Error('enough');
      sources[at]?.abort(reason);
      expect(signal.reason).toBe(reason);
    },
  );

  it('a linked signal is aborted from the start if one of its sources is already aborted', () => {
    const reason = new Error('too late');
    const { signal } = linkSignals(new AbortController().signal, AbortSignal.abort(reason));
    expect(signal.reason).toBe(reason);
  });

  it('a linked signal that is already aborted keeps its abort reason when its source aborts with another reason', () => {
    const source = new AbortController();
    const { signal, abort } = linkSignals(source.signal);
    const reason = new Error('first');
    abort(reason);
    source.abort(new Error('second'));
    expect(signal.reason).toBe(reason);
  });

  it('a released linked signal has no listener on its source, and does not abort when the source aborts', () => {
    const source = new AbortController();
    const links = Array.from({ length: 50 }, () => linkSignals(source.signal));
    expect(countListeners(source.signal)).toBe(50);
    for (const { release } of links) release();
    expect(countListeners(source.signal)).toBe(0);
    source.abort();
    expect(links.map(({ signal }) => signal.aborted)).not.toContain(true);
  });

  it('Node emits no warning about the number of listeners when a source has many linked signals', async () => {
    const warnings: Error[] = [];
    const collectWarning = (warning: Error): void => void warnings.push(warning);
    process.on('warning', collectWarning);
    const { signal } = new AbortController();
    for (let request = 0; request < 50; request += 1) linkSignals(signal);
    await new Promise(setImmediate);
    process.off('warning', collectWarning);
    expect(warnings).toEqual([]);
  });
});

describe('createDeadline', () => {
  it('a deadline aborts when its time has passed, and reports that it has expired', async () => {
    const { signal, hasExpired } = createDeadline(new AbortController().signal, 1);
    await new Promise((resolve) => {
      signal.addEventListener('abort', resolve);
    });
    expect(hasExpired()).toBe(true);
    expect(signal.reason).toMatchObject({ message: 'expected the work to end within 1 ms, found it unfinished' });
  });

  it('if the given signal aborts, a deadline aborts with the same reason, and reports that it has not expired', () => {
    const source = new AbortController();
    const { signal, hasExpired, release } = createDeadline(source.signal, 60_000);
    const reason = new Error('the caller disconnected');
    source.abort(reason);
    expect([signal.reason, hasExpired()]).toEqual([reason, false]);
    release();
    expect(countListeners(source.signal)).toBe(0);
  });
});
