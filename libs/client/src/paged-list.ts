interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Cursor of the next page. Null on the last page. */
  readonly next_cursor: string | null;
}

type ItemOf<Page> = Page extends ListPage<infer Item> ? Item : never;

/**
 * Describes a list that the API returns in pages. `await` returns the first page. `for await` yields the items of all
 * pages, and requests a page when the loop reaches it.
 *
 *     for await (const agent of quarry.listAgents()) console.log(agent.name);
 */
export type List<Page> = Promise<Page> & AsyncIterable<ItemOf<Page>>;

/**
 * Creates a list, and requests its first page.
 *
 * @param load requests the page with a cursor, or the first page without a cursor
 */
export function createPagedList<Item, Page extends ListPage<Item>>(
  load: (cursor?: string) => Promise<Page>,
): Promise<Page> & AsyncIterable<Item> {
  const first = load();
  const iterate = async function* (): AsyncGenerator<Item> {
    let page = await first;
    yield* page.items;
    while (page.next_cursor !== null) {
      page = await load(page.next_cursor);
      yield* page.items;
    }
  };
  return Object.assign(first, { [Symbol.asyncIterator]: iterate });
}
