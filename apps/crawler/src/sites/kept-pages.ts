import { contentName, nameOf } from './page-records.js';
import type { PageContent } from './page-record.js';

const EVERY = Symbol('every content');

/** Which pages a run has come by, and which of their contents are still needed. */
export class KeptPages {
  readonly #contents = new Map<string, string | typeof EVERY | undefined>();

  /** Keeps a page's record, and the content that it names. */
  keep(address: string, content: PageContent | undefined): void {
    const page = nameOf(address);
    this.#contents.set(page, content === undefined ? undefined : contentName(page, content.generation));
  }

  /** Keeps a page's record, and all its contents: an earlier start may have handed on another one than its record names now. */
  keepEvery(address: string): void {
    this.#contents.set(nameOf(address), EVERY);
  }

  hasPage(page: string): boolean {
    return this.#contents.has(page);
  }

  /** @param name of the content of a page that there is */
  needsContent(page: string, name: string): boolean {
    const kept = this.#contents.get(page);
    return kept === EVERY || kept === name;
  }
}
