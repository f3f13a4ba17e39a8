import { expect, it } from 'vitest';
import { createPagedList } from './paged-list.js';

const PAGES: Readonly<Record<string, { readonly items: readonly number[]; readonly next_cursor: string | null }>> = {
  first: { items: [1, 2], next_cursor: 'b' },
  b: { items: [], next_cursor: 'c' },
  c: { items: [3], next_cursor: null },
};

/** Creates a list of the items in `PAGES`, and records the cursor of each page request. */
function createListWithRecordedCursors() {
  const requested: string[] = [];
  const list = createPagedList<number, { readonly items: readonly number[]; readonly next_cursor: string | null }>(
    async (cursor = 'first') => {
      requested.push(cursor);
      const page = PAGES[cursor];
      return page === undefined ? Promise.reject(new Error(`no page ${cursor}`)) : Promise.resolve(page);
    },
  );
  return { list, requested };
}

it('`await` of a paged list returns the first page', async () => {
  const { list, requested } = createListWithRecordedCursors();
  expect(await list).toEqual(PAGES['first']);
  expect(requested).toEqual(['first']);
});

it('`for await` over a paged list yields the items of all pages, including those after an empty page', async () => {
  const { list, requested } = createListWithRecordedCursors();
  const found: number[] = [];
  for await (const item of list) found.push(item);
  expect(found).toEqual([1, 2, 3]);
  expect(requested).toEqual(['first', 'b', 'c']);
});

it('`for await` requests a page of a list only when the loop reaches it, and a later `await` of the list sends no request', async () => {
  const { list, requested } = createListWithRecordedCursors();
  for await (const item of list) if (item === 2) break;
  await list;
  expect(requested).toEqual(['first']);
});

it('if the request for a page fails, `for await` over the list yields the items of the previous pages and throws the error', async () => {
  const list = createPagedList<number, { readonly items: readonly number[]; readonly next_cursor: string | null }>(
    async (cursor?: string) =>
      cursor === undefined
        ? Promise.resolve({ items: [1], next_cursor: 'b' })
        : Promise.reject(new Error('the second page failed')),
  );
  const found: number[] = [];
  const iterate = async (): Promise<void> => {
    for await (const item of list) found.push(item);
  };
  await expect(iterate()).rejects.toThrow('the second page failed');
  expect(found).toEqual([1]);
});
