import { describe, expect, it } from 'vitest';
import { readAhead } from './read-ahead.js';

/** Provides the pages 1 to `last`. The test decides when the read of each page completes. */
class PageSource {
  readonly requested: number[] = [];
  readonly #answers: PromiseWithResolvers<number | undefined>[] = [];
  isAborted = false;

  readPage = async (): Promise<number | undefined> => {
    const answer = Promise.withResolvers<number | undefined>();
    this.requested.push(this.requested.length + 1);
    this.#answers.push(answer);
    return answer.promise;
  };

  abortReading = (): void => {
    this.isAborted = true;
    this.#answers.at(-1)?.reject(new Error('aborted'));
  };

  async completeRead(page: number | undefined): Promise<void> {
    this.#answers.at(-1)?.resolve(page);
    await new Promise(setImmediate);
  }

  async failRead(): Promise<void> {
    this.#answers.at(-1)?.reject(new Error('no answer'));
    await new Promise(setImmediate);
  }
}

interface Started {
  readonly pages: PageSource;
  readonly batches: AsyncGenerator<readonly number[], void>;
  readonly first: Promise<IteratorResult<readonly number[], void>>;
}

const startReading = async (maxSize = 100): Promise<Started> => {
  const pages = new PageSource();
  const { readPage: read, abortReading: abort } = pages;
  const batches = readAhead(read, { maxSize, getSize: (page) => page, abort });
  const first = batches.next();
  await expect.poll(() => pages.requested).toEqual([1]);
  return { pages, batches, first };
};

describe('readAhead', () => {
  it('readAhead immediately yields a page to a waiting consumer, and then yields in one batch the pages read while the consumer was busy', async () => {
    const { pages, batches, first } = await startReading();
    await pages.completeRead(1);
    expect(await first).toEqual({ value: [1], done: false });
    await pages.completeRead(2);
    await pages.completeRead(3);
    expect(await batches.next()).toEqual({ value: [2, 3], done: false });
    await pages.completeRead(undefined);
    expect(await batches.next()).toEqual({ value: undefined, done: true });
    expect([pages.requested, pages.isAborted]).toEqual([[1, 2, 3, 4], false]);
  });

  it('readAhead reads one page at a time', async () => {
    const { pages, batches, first } = await startReading();
    await pages.completeRead(1);
    expect(pages.requested).toEqual([1, 2]);
    await first;
    await pages.completeRead(undefined);
    expect((await batches.next()).done).toBe(true);
  });

  it('readAhead reads no further page while the buffer is full', async () => {
    const { pages, batches, first } = await startReading(5);
    for (const size of [1, 2, 3]) await pages.completeRead(size);
    expect(pages.requested).toHaveLength(3);
    await first;
    expect((await batches.next()).value).toEqual([2, 3]);
    await expect.poll(() => pages.requested.length).toBe(4);
    await pages.completeRead(undefined);
    expect((await batches.next()).done).toBe(true);
  });

  it('readAhead yields all pages that were read before a failure, and then throws the error of the failure', async () => {
    const { pages, batches, first } = await startReading();
    await pages.completeRead(1);
    await pages.completeRead(2);
    await pages.failRead();
    expect((await first).value).toEqual([1]);
    expect((await batches.next()).value).toEqual([2]);
    await expect(batches.next()).rejects.toThrow('no answer');
  });

  it('if the consumer stops, readAhead aborts the read in progress, and waits for its end', async () => {
    const { pages, batches, first } = await startReading();
    await pages.completeRead(1);
    await first;
    await batches.return();
    expect([pages.requested, pages.isAborted]).toEqual([[1, 2], true]);
  });
});
