import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processInOrder } from './process-in-order.js';

const never = new AbortController().signal;
const createQueueReader =
  <Item>(items: Item[]) =>
  (): Item | undefined =>
    items.shift();

describe('processInOrder', () => {
  it('processInOrder accepts all results in the order of the items, and limits the number of items that are processed concurrently', async () => {
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
          const acceptResult = (result: number): Promise<undefined> => {
            accepted.push(result);
            return Promise.resolve(undefined);
          };
          await scheduler.waitFor(
            processInOrder(
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

  it('processInOrder processes items that were added when an earlier result was accepted', async () => {
    const items = [1];
    const accepted: number[] = [];
    const acceptResult = (n: number): Promise<undefined> => {
      accepted.push(n);
      if (n < 5) items.push(n + 1);
      return Promise.resolve(undefined);
    };
    await processInOrder(
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

  it('processInOrder throws the error of the first failed item in order, after it has aborted the processing of all other items', async () => {
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
      processInOrder(
        {
          next: createQueueReader([1, 2, 3]),
          concurrency: 3,
          process: processItem,
          accept: () => Promise.resolve(undefined),
        },
        never,
      ),
    ).rejects.toThrow('failed');
    expect(stopped).toEqual([2, 3]);
  });

  it('processInOrder processes no further item after the signal was aborted', async () => {
    const stop = new AbortController();
    const started: number[] = [];
    const processItem = (n: number): Promise<number> => {
      started.push(n);
      if (n === 2) stop.abort(new Error('the process is stopping'));
      return Promise.resolve(n);
    };
    const crawl = processInOrder(
      {
        next: createQueueReader([1, 2, 3, 4]),
        concurrency: 1,
        process: processItem,
        accept: () => Promise.resolve(undefined),
      },
      stop.signal,
    );
    await expect(crawl).rejects.toThrow('the process is stopping');
    expect(started).toEqual([1, 2]);
  });

  it('processInOrder accepts the next result while earlier results are being stored, and limits the number of results that are stored concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.nat(20),
        fc.scheduler(),
        async (concurrency, count, scheduler) => {
          const items = Array.from({ length: count }, (_, n) => n);
          const stored: number[] = [];
          let active = 0;
          let peak = 0;
          const storeItem = async (n: number): Promise<void> => {
            active += 1;
            peak = Math.max(peak, active);
            await scheduler.schedule(Promise.resolve());
            active -= 1;
            stored.push(n);
          };
          await scheduler.waitFor(
            processInOrder(
              {
                next: createQueueReader([...items]),
                concurrency,
                process: (n: number) => Promise.resolve(n),
                accept: (n) => Promise.resolve(() => storeItem(n)),
              },
              never,
            ),
          );
          expect(stored.toSorted((a, b) => a - b)).toEqual(items);
          expect(peak).toBe(Math.min(concurrency, count));
        },
      ),
    );
  });

  it('processInOrder throws the error of a result that cannot be stored, and waits until the other results are stored', async () => {
    const stored: number[] = [];
    const storeItem = async (n: number): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, n));
      if (n === 1) throw new Error('the disk is full');
      stored.push(n);
    };
    const work = processInOrder(
      {
        next: createQueueReader(Array.from({ length: 50 }, (_, n) => n + 1)),
        concurrency: 3,
        process: (n: number) => Promise.resolve(n),
        accept: (n) => Promise.resolve(() => storeItem(n)),
      },
      never,
    );
    await expect(work).rejects.toThrow('the disk is full');
    expect(stored).toEqual([2, 3]);
  });

  it('processInOrder finishes storing the accepted results after the signal was aborted', async () => {
    const stop = new AbortController();
    const stored: number[] = [];
    const work = processInOrder(
      {
        next: createQueueReader([1, 2, 3, 4]),
        concurrency: 2,
        process: (n: number) => {
          if (n === 3) stop.abort(new Error('the process is stopping'));
          return Promise.resolve(n);
        },
        accept: (n) =>
          Promise.resolve(async () => {
            await new Promise((resolve) => setTimeout(resolve, 10));
            stored.push(n);
          }),
      },
      stop.signal,
    );
    await expect(work).rejects.toThrow('the process is stopping');
    expect(stored).toEqual([1, 2]);
  });
});
