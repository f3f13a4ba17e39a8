export interface ReadAheadOptions<Page> {
  /** Reading pauses while pages of this total size wait for the consumer. */
  readonly maxSize: number;
  readonly sizeOf: (page: Page) => number;
  /** Called when the consumer stops early. A pending `read` must then settle soon. */
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

/** Buffers the pages between the reader and the consumer. Each side waits for the other. */
class PageBuffer<Page> {
  readonly #maxSize: number;
  #pages: Page[] = [];
  #size = 0;
  #closed = false;
  /** Set when reading has ended. Throws when reading has failed. */
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

  /** Waits for pages. @returns at least one page, or an empty list after the last page */
  async take(): Promise<readonly Page[]> {
    while (this.#pages.length === 0 && this.#checkEnd === undefined) await this.#changed.promise;
    const pages = this.#pages;
    if (pages.length === 0) this.#checkEnd?.();
    this.#pages = [];
    this.#size = 0;
    this.#notify();
    return pages;
  }

  /** Stops the buffer. @returns true when reading had not ended */
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
