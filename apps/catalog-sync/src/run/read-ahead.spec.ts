import { describe, expect, it } from 'vitest';
import { readAhead } from './read-ahead.js';

/** Pages 1 to `last`, each read when it is let. */
class Pages {
  readonly asked: number[] = [];
  readonly #answers: PromiseWithResolvers<number | undefined>[] = [];
  left = false;

  read = async (): Promise<number | undefined> => {
    const answer = Promise.withResolvers<number | undefined>();
    this.asked.push(this.asked.length + 1);
    this.#answers.push(answer);
    return answer.promise;
  };

  leave = (): void => {
    this.left = true;
    this.#answers.at(-1)?.reject(new Error('left'));
  };

  async let(page: number | undefined): Promise<void> {
    this.#answers.at(-1)?.resolve(page);
    await new Promise(setImmediate);
  }

  async fail(): Promise<void> {
    this.#answers.at(-1)?.reject(new Error('no answer'));
    await new Promise(setImmediate);
  }
}

interface Started {
  readonly pages: Pages;
  readonly taken: AsyncGenerator<readonly number[], void>;
  readonly first: Promise<IteratorResult<readonly number[], void>>;
}

const start = async (most = 100): Promise<Started> => {
  const pages = new Pages();
  const { read, leave } = pages;
  const taken = readAhead(read, { most, sizeOf: (page) => page, leave });
  const first = taken.next();
  await expect.poll(() => pages.asked).toEqual([1]);
  return { pages, taken, first };
};

describe('reading ahead', () => {
  it('gives a page at once to who waits for it, and all that came meanwhile to who did not', async () => {
    const { pages, taken, first } = await start();
    await pages.let(1);
    expect(await first).toEqual({ value: [1], done: false });
    await pages.let(2);
    await pages.let(3);
    expect(await taken.next()).toEqual({ value: [2, 3], done: false });
    await pages.let(undefined);
    expect(await taken.next()).toEqual({ value: undefined, done: true });
    expect([pages.asked, pages.left]).toEqual([[1, 2, 3, 4], false]);
  });

  it('asks for one page at a time', async () => {
    const { pages, taken, first } = await start();
    await pages.let(1);
    expect(pages.asked).toEqual([1, 2]);
    await first;
    await pages.let(undefined);
    expect((await taken.next()).done).toBe(true);
  });

  it('asks for no more while enough waits to be taken', async () => {
    const { pages, taken, first } = await start(5);
    for (const size of [1, 2, 3]) await pages.let(size);
    expect(pages.asked).toHaveLength(3);
    await first;
    expect((await taken.next()).value).toEqual([2, 3]);
    await expect.poll(() => pages.asked.length).toBe(4);
    await pages.let(undefined);
    expect((await taken.next()).done).toBe(true);
  });

  it('fails when all that was read before the failure has been taken', async () => {
    const { pages, taken, first } = await start();
    await pages.let(1);
    await pages.let(2);
    await pages.fail();
    expect((await first).value).toEqual([1]);
    expect((await taken.next()).value).toEqual([2]);
    await expect(taken.next()).rejects.toThrow('no answer');
  });

  it('ends the request under way when nobody takes its page, and only then is over', async () => {
    const { pages, taken, first } = await start();
    await pages.let(1);
    await first;
    await taken.return();
    expect([pages.asked, pages.left]).toEqual([[1, 2], true]);
  });
});
