interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Selects the next page. Null on the last one. */
  readonly next_cursor: string | null;
}

type ItemOf<Page> = Page extends ListPage<infer Item> ? Item : never;

/**
 * The first page of a list. `await` returns the page. `for await` yields the items of this page and of all further pages, which it
 * requests as it needs them.
 *
 *     for await (const agent of quarry.listAgents()) console.log(agent.name);
 */
export type List<Page> = Promise<Page> & AsyncIterable<ItemOf<Page>>;

/** Requests the first page of a list. @param load requests the page with this cursor, or the first page */
export function createList<Item, Page extends ListPage<Item>>(
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
