import { createHtmlReader, type HtmlReader } from '../pages/html/html-reader.js';
import type { HtmlPage } from '../pages/html/read-html.js';

/** Returns an HTML reader that reads each page once, because tests crawl the same few pages hundreds of times. */
export function createMemoizedHtmlReader(): HtmlReader {
  const threads = createHtmlReader({ threads: 2, timeoutMs: 30_000, memoryMb: 256 });
  const pages = new Map<string, Promise<HtmlPage>>();
  return {
    read: (input) => {
      const key = `${input.url} ${Buffer.from(input.bytes).toString()}`;
      const page = pages.get(key) ?? threads.read(input);
      pages.set(key, page);
      return page;
    },
    close: () => threads.close(),
  };
}
