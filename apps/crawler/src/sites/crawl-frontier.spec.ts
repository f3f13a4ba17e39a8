import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processConcurrentlyInOrder } from './crawl-frontier.js';

const never = new AbortController().signal;
const createQueueReader =
  <Item>(items: Item[]) =>
  (): Item | undefined =>
    items.shift();

describe('processConcurrentlyInOrder', () => {
  it('processConcurrentlyInOrder accepts all results in the order of the items, and limits the concurrency', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.nat(20),
        fc.scheduler(),
        async (concurrency, count, scheduler) => {
          const items = Array.from({ length: count }, (_, n) => n);
          const accepted: number[] = [];
          let active = 0;
          let peak = 0;
          const processItem = async (n: number): Promise<number> => {
            active += 1;
            peak = Math.max(peak, active);
            await scheduler.schedule(Promise.resolve());
            active -= 1;
            return n * 2;
          };
          const acceptResult = (result: number): Promise<void> => {
            accepted.push(result);
            return Promise.resolve();
          };
          await scheduler.waitFor(
            processConcurrentlyInOrder(
              { next: createQueueReader([...items]), concurrency, process: processItem, accept: acceptResult },
              never,
            ),
          );
          expect(accepted).toEqual(items.map((n) => n * 2));
          expect(peak).toBeLessThanOrEqual(concurrency);
        },
      ),
    );
  });

  it('processConcurrentlyInOrder processes items that were added when an earlier result was accepted', async () => {
    const items = [1];
    const accepted: number[] = [];
    const acceptResult = (n: number): Promise<void> => {
      accepted.push(n);
      if (n < 5) items.push(n + 1);
      return Promise.resolve();
    };
    await processConcurrentlyInOrder(
      {
        next: createQueueReader(items),
        concurrency: 3,
        process: (n: number) => Promise.resolve(n),
        accept: acceptResult,
      },
      never,
    );
    expect(accepted).toEqual([1, 2, 3, 4, 5]);
  });

  it('processConcurrentlyInOrder throws the error of the first failed item in order, after it has aborted all other work', async () => {
    const stopped: number[] = [];
    const processItem = (n: number, signal: AbortSignal): Promise<number> => {
      if (n === 1) return Promise.reject(new Error('failed'));
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped.push(n);
          reject(new Error('stopped'));
        });
      });
    };
    await expect(
      processConcurrentlyInOrder(
        { next: createQueueReader([1, 2, 3]), concurrency: 3, process: processItem, accept: () => Promise.resolve() },
        never,
      ),
    ).rejects.toThrow('failed');
    expect(stopped).toEqual([2, 3]);
  });

  it('processConcurrentlyInOrder starts no item after the signal was aborted', async () => {
    const stop = new AbortController();
    const started: number[] = [];
    const processItem = (n: number): Promise<number> => {
      started.push(n);
      if (n === 2) stop.abort(new Error('the process is stopping'));
      return Promise.resolve(n);
    };
    const crawl = processConcurrentlyInOrder(
      { next: createQueueReader([1, 2, 3, 4]), concurrency: 1, process: processItem, accept: () => Promise.resolve() },
      stop.signal,
    );
    await expect(crawl).rejects.toThrow('the process is stopping');
    expect(started).toEqual([1, 2]);
  });
});
