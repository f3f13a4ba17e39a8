import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processInOrder } from './process-in-order.js';

const never = new AbortController().signal;
const from =
  <Thing>(things: Thing[]) =>
  (): Thing | undefined =>
    things.shift();

describe('processInOrder', () => {
  it('takes everything in, in order, whatever ends first, and works on no more at a time than it may', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), fc.nat(20), fc.scheduler(), async (width, count, scheduler) => {
        const things = Array.from({ length: count }, (_, n) => n);
        const taken: number[] = [];
        let active = 0;
        let peak = 0;
        const work = async (n: number): Promise<number> => {
          active += 1;
          peak = Math.max(peak, active);
          await scheduler.schedule(Promise.resolve());
          active -= 1;
          return n * 2;
        };
        const accept = (result: number): Promise<void> => {
          taken.push(result);
          return Promise.resolve();
        };
        await scheduler.waitFor(
          processInOrder({ next: from([...things]), concurrency: width, process: work, accept }, never),
        );
        expect(taken).toEqual(things.map((n) => n * 2));
        expect(peak).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('continues with items that an accepted result has added', async () => {
    const things = [1];
    const taken: number[] = [];
    const accept = (n: number): Promise<void> => {
      taken.push(n);
      if (n < 5) things.push(n + 1);
      return Promise.resolve();
    };
    await processInOrder(
      { next: from(things), concurrency: 3, process: (n: number) => Promise.resolve(n), accept },
      never,
    );
    expect(taken).toEqual([1, 2, 3, 4, 5]);
  });

  it('throws the first failure in order, after it has aborted all work in progress', async () => {
    const stopped: number[] = [];
    const work = (n: number, signal: AbortSignal): Promise<number> => {
      if (n === 1) return Promise.reject(new Error('broken'));
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.push(n);
          reject(new Error('stopped'));
        });
      });
    };
    await expect(
      processInOrder({ next: from([1, 2, 3]), concurrency: 3, process: work, accept: () => Promise.resolve() }, never),
    ).rejects.toThrow('broken');
    expect(stopped).toEqual([2, 3]);
  });

  it('starts no item after the signal was aborted', async () => {
    const stop = new AbortController();
    const begun: number[] = [];
    const work = (n: number): Promise<number> => {
      begun.push(n);
      if (n === 2) stop.abort(new Error('the process ends'));
      return Promise.resolve(n);
    };
    const crawl = processInOrder(
      { next: from([1, 2, 3, 4]), concurrency: 1, process: work, accept: () => Promise.resolve() },
      stop.signal,
    );
    await expect(crawl).rejects.toThrow('the process ends');
    expect(begun).toEqual([1, 2]);
  });
});
