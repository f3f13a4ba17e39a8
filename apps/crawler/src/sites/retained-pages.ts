import { getContentBlobName, getBlobName } from './page-records.js';
import type { PageContent } from './page-record.js';

const ALL_CONTENTS = Symbol('all contents');

/**
 * Records the pages that a run has found, and the stored contents that they reference. `sweepPages` removes all other blobs.
 */
export class RetainedPages {
  readonly #contents = new Map<string, string | typeof ALL_CONTENTS | undefined>();

  /** Retains the record of a page, and the content that the record references. */
  retain(documentKey: string, content: PageContent | undefined): void {
    const page = getBlobName(documentKey);
    this.#contents.set(page, content === undefined ? undefined : getContentBlobName(page, content.generation));
  }

  /** Retains the record of a page and all its contents, because an earlier start may have enqueued another one. */
  retainAllContents(documentKey: string): void {
    this.#contents.set(getBlobName(documentKey), ALL_CONTENTS);
  }

  hasPage(page: string): boolean {
    return this.#contents.has(page);
  }

  /** Returns whether a stored content of a retained page is needed. @param name the blob name of the content */
  needsContent(page: string, name: string): boolean {
    const retained = this.#contents.get(page);
    return retained === ALL_CONTENTS || retained === name;
  }
}
