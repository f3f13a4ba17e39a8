export interface ReadAheadOptions<Page> {
  /** Reading waits while pages of this size or more wait to be taken. */
  readonly most: number;
  readonly sizeOf: (page: Page) => number;
  /** Called when whoever takes the pages leaves early: `read` is to end soon then, in whatever way. */
  readonly leave: () => void;
}

/**
 * Reads on while what was read is being dealt with: one page after the other, and all that has come meanwhile is taken at once.
 *
 * @param read the next page; undefined when there is none
 * @throws what `read` throws, when the pages before have been taken
 */
export async function* readAhead<Page>(
  read: () => Promise<Page | undefined>,
  { most, sizeOf, leave }: ReadAheadOptions<Page>,
): AsyncGenerator<readonly Page[], void, undefined> {
  const waiting = new Waiting<Page>(most);
  const reading = readAll(read, waiting, sizeOf).then(
    () => {
      waiting.end(() => undefined);
    },
    (error: unknown) => {
      waiting.end(() => {
        throw error;
      });
    },
  );
  try {
    for (let pages = await waiting.take(); pages.length > 0; pages = await waiting.take()) yield pages;
  } finally {
    if (waiting.close()) leave();
    await reading;
  }
}

async function readAll<Page>(
  read: () => Promise<Page | undefined>,
  waiting: Waiting<Page>,
  sizeOf: (page: Page) => number,
): Promise<void> {
  while (await waiting.hasRoom()) {
    const page = await read();
    if (page === undefined) return;
    waiting.add(page, sizeOf(page));
  }
}

/** The pages between the two, of whom each waits for the other. */
class Waiting<Page> {
  readonly #most: number;
  #pages: Page[] = [];
  #size = 0;
  #closed = false;
  /** Set when there are no more to come; throws when there should have been. */
  #end: (() => void) | undefined;
  #changed = Promise.withResolvers<undefined>();

  constructor(most: number) {
    this.#most = most;
  }

  /** @returns false when nobody takes any more */
  async hasRoom(): Promise<boolean> {
    while (this.#size >= this.#most && !this.#closed) await this.#changed.promise;
    return !this.#closed;
  }

  add(page: Page, size: number): void {
    this.#pages.push(page);
    this.#size += size;
    this.#tell();
  }

  end(how: () => void): void {
    this.#end = how;
    this.#tell();
  }

  /** @returns at least one page; none at the end */
  async take(): Promise<readonly Page[]> {
    while (this.#pages.length === 0 && this.#end === undefined) await this.#changed.promise;
    const pages = this.#pages;
    if (pages.length === 0) this.#end?.();
    this.#pages = [];
    this.#size = 0;
    this.#tell();
    return pages;
  }

  /** @returns whether there was more to come */
  close(): boolean {
    this.#closed = true;
    this.#tell();
    return this.#end === undefined;
  }

  #tell(): void {
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }
}
