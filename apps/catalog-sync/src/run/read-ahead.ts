import type { ListedItem, ScannedPage, ScanStart } from '@quarry/item-listing';

export interface ReadAheadOptions<Page> {
  /**
   * Maximum total size of the pages that wait for the consumer, in the unit of `getSize`. At this size, reading pauses.
   */
  readonly maxSize: number;
  readonly getSize: (page: Page) => number;
  /** Called when the consumer stops before the last page. The function must end a pending call of `read` soon. */
  readonly abort: () => void;
}

/**
 * Reads pages while the consumer processes earlier pages. Reads one page at a time, up to `maxSize` in advance. Each
 * iteration yields all pages that have been read since the previous iteration.
 *
 * @param read returns the next page, or undefined after the last page
 * @throws the error of `read`, after all earlier pages have been yielded
 */
export async function* readAhead<Page>(
  read: () => Promise<Page | undefined>,
  { maxSize, getSize, abort }: ReadAheadOptions<Page>,
): AsyncGenerator<readonly Page[], void, undefined> {
  const buffer = new PageBuffer<Page>(maxSize);
  const reading = readPagesIntoBuffer(read, buffer, getSize).then(
    () => {
      buffer.endPages(() => undefined);
    },
    (error: unknown) => {
      buffer.endPages(() => {
        throw error;
      });
    },
  );
  try {
    for (let pages = await buffer.dequeuePages(); pages.length > 0; pages = await buffer.dequeuePages()) yield pages;
  } finally {
    if (buffer.closeBuffer()) abort();
    await reading;
  }
}

async function readPagesIntoBuffer<Page>(
  read: () => Promise<Page | undefined>,
  buffer: PageBuffer<Page>,
  getSize: (page: Page) => number,
): Promise<void> {
  while (await buffer.waitForSpace()) {
    const page = await read();
    if (page === undefined) return;
    buffer.addPage(page, getSize(page));
  }
}

/** Buffers pages between a reader, which waits for free space, and a consumer, which waits for pages. */
class PageBuffer<Page> {
  readonly #maxSize: number;
  #pages: Page[] = [];
  #size = 0;
  #closed = false;
  /** Function that throws the error with which reading ended, if any. Undefined until reading has ended. */
  #checkEnd: (() => void) | undefined;
  #changed = Promise.withResolvers<undefined>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /**
   * Waits until the buffer has free space. @returns false when the buffer was closed, because the consumer has stopped
   */
  async waitForSpace(): Promise<boolean> {
    while (this.#size >= this.#maxSize && !this.#closed) await this.#changed.promise;
    return !this.#closed;
  }

  addPage(page: Page, size: number): void {
    this.#pages.push(page);
    this.#size += size;
    this.#notifyReader();
  }

  endPages(checkEnd: () => void): void {
    this.#checkEnd = checkEnd;
    this.#notifyReader();
  }

  /**
   * Waits for pages, and removes them from the buffer. @returns at least one page; an empty list after the last page
   */
  async dequeuePages(): Promise<readonly Page[]> {
    while (this.#pages.length === 0 && this.#checkEnd === undefined) await this.#changed.promise;
    const pages = this.#pages;
    if (pages.length === 0) this.#checkEnd?.();
    this.#pages = [];
    this.#size = 0;
    this.#notifyReader();
    return pages;
  }

  /** Closes the buffer, so that a waiting reader stops. @returns true if the reader had not ended before */
  closeBuffer(): boolean {
    this.#closed = true;
    this.#notifyReader();
    return this.#checkEnd === undefined;
  }

  #notifyReader(): void {
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }
}

/**
 * Maximum total size of the pages that are read before they can be processed, in characters. A batch that is being
 * processed may need as much memory again.
 */
export const MAX_READ_AHEAD_CHARACTERS = 500_000;
/** Minimum size that an item counts in `estimatePageSize`, in characters. It limits the buffer to about 1,000 items. */
const MIN_ITEM_SIZE = 500;

/** Holds consecutive pages of a listing that are processed together. */
export interface PageBatch extends ScannedPage {
  /** Start of the scan with which another process resumes the run, so that it skips these pages. */
  readonly resumeFrom: ScanStart;
  /** Time of the scan's first response minus one second, by the listing's clock, in ISO 8601. */
  readonly startedAt: string;
  /** Time of the response with the last of these pages, by the listing's clock, in ISO 8601. */
  readonly answeredAt: string;
}

/** Joins consecutive batches into one batch. @param pages at least one batch */
export function joinPageBatches(pages: readonly PageBatch[]): PageBatch {
  const last = pages.at(-1);
  if (last === undefined) throw new Error('expected at least one batch of pages to join, found none');
  return {
    ...last,
    items: pages.flatMap(({ items }) => items),
    fresh: pages.flatMap(({ fresh }) => fresh),
    duplicates: pages.flatMap(({ duplicates }) => duplicates),
  };
}

/** Estimates the memory that a page needs, in characters. */
export function estimatePageSize({ items }: Pick<ScannedPage, 'items'>): number {
  return items.reduce((sum, { size }) => sum + Math.max(size, MIN_ITEM_SIZE), 0);
}

/**
 * Separates the first version of each document from later versions of the same document. Omits later items that are
 * equal to the first.
 */
export function separateRepeatedDocuments(items: readonly ListedItem[]): {
  readonly documents: readonly ListedItem[];
  readonly changedAgain: readonly ListedItem[];
} {
  const first = new Map<string, ListedItem>();
  const changedAgain: ListedItem[] = [];
  for (const item of items) {
    const earlier = first.get(item.documentKey);
    if (earlier === undefined) first.set(item.documentKey, item);
    else if (earlier.hash !== item.hash) changedAgain.push(item);
  }
  return { documents: [...first.values()], changedAgain };
}
