export interface ReadAheadOptions<Page> {
  /** Maximum total size of the pages that wait for the consumer. At this size, reading pauses. */
  readonly maxSize: number;
  readonly sizeOf: (page: Page) => number;
  /** Called when the consumer stops early. It must make a pending `read` settle soon. */
  readonly abort: () => void;
}

/**
 * Reads pages while earlier pages are being processed: one page at a time, up to a limit. Each iteration yields all pages that
 * have been read since the last one.
 *
 * @param read returns the next page, or undefined after the last page
 * @throws the error of `read`, after the pages before it have been yielded
 */
export async function* readAhead<Page>(
  read: () => Promise<Page | undefined>,
  { maxSize, sizeOf, abort }: ReadAheadOptions<Page>,
): AsyncGenerator<readonly Page[], void, undefined> {
  const buffer = new PageBuffer<Page>(maxSize);
  const reading = readAll(read, buffer, sizeOf).then(
    () => {
      buffer.end(() => undefined);
    },
    (error: unknown) => {
      buffer.end(() => {
        throw error;
      });
    },
  );
  try {
    for (let pages = await buffer.take(); pages.length > 0; pages = await buffer.take()) yield pages;
  } finally {
    if (buffer.close()) abort();
    await reading;
  }
}

async function readAll<Page>(
  read: () => Promise<Page | undefined>,
  buffer: PageBuffer<Page>,
  sizeOf: (page: Page) => number,
): Promise<void> {
  while (await buffer.waitForSpace()) {
    const page = await read();
    if (page === undefined) return;
    buffer.add(page, sizeOf(page));
  }
}

/** Buffers pages between a reader, which waits for free space, and a consumer, which waits for pages. */
class PageBuffer<Page> {
  readonly #maxSize: number;
  #pages: Page[] = [];
  #size = 0;
  #closed = false;
  /** Undefined until reading has ended. The function throws the error of a failed read. */
  #checkEnd: (() => void) | undefined;
  #changed = Promise.withResolvers<undefined>();

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  /** Waits for free space. @returns false when the consumer has stopped */
  async waitForSpace(): Promise<boolean> {
    while (this.#size >= this.#maxSize && !this.#closed) await this.#changed.promise;
    return !this.#closed;
  }

  add(page: Page, size: number): void {
    this.#pages.push(page);
    this.#size += size;
    this.#notify();
  }

  end(checkEnd: () => void): void {
    this.#checkEnd = checkEnd;
    this.#notify();
  }

  /** Waits for pages and removes them from the buffer. @returns at least one page, or an empty list after the last page */
  async take(): Promise<readonly Page[]> {
    while (this.#pages.length === 0 && this.#checkEnd === undefined) await this.#changed.promise;
    const pages = this.#pages;
    if (pages.length === 0) this.#checkEnd?.();
    this.#pages = [];
    this.#size = 0;
    this.#notify();
    return pages;
  }

  /** Closes the buffer, which ends a waiting reader. @returns true if reading had not ended */
  close(): boolean {
    this.#closed = true;
    this.#notify();
    return this.#checkEnd === undefined;
  }

  #notify(): void {
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }
}
