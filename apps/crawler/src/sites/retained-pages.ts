import type { BlobStore } from '@quarry/blob-store';
import {
  getPageBlobName,
  getContentBlobName,
  getCrawlFolders,
  type PageContent,
  type PageRun,
} from './page-records.js';

const ALL_CONTENTS = Symbol('all contents');

/**
 * Lists the pages that a run has found, and the stored contents that their records reference. `removeUnretainedPages`
 * removes the datasource's other blobs of pages.
 */
export class RetainedPages {
  readonly #contents = new Map<string, string | typeof ALL_CONTENTS | undefined>();

  /** Retains the record of a page, and the content that the record references. */
  retainPage(documentKey: string, content: PageContent | undefined): void {
    const page = getPageBlobName(documentKey);
    this.#contents.set(page, content === undefined ? undefined : getContentBlobName(page, content.generation));
  }

  /**
   * Retains the record and all stored contents of a page, because an earlier start of the job may have enqueued any of
   * them.
   */
  retainAllContents(documentKey: string): void {
    this.#contents.set(getPageBlobName(documentKey), ALL_CONTENTS);
  }

  hasPage(page: string): boolean {
    return this.#contents.has(page);
  }

  /**
   * Returns whether a stored content of a retained page is retained, too.
   *
   * @param page the blob name of the page's record
   * @param name the blob name of the content
   */
  needsContent(page: string, name: string): boolean {
    const retained = this.#contents.get(page);
    return retained === ALL_CONTENTS || retained === name;
  }
}

/** Number of blobs that are removed concurrently. */
const CONCURRENT_REMOVALS = 16;

interface Sweep {
  readonly blobs: BlobStore;
  readonly run: PageRun;
  readonly retained: RetainedPages;
  /** True if the run found all pages, so that pages that were not found no longer exist. */
  readonly complete: boolean;
  readonly signal: AbortSignal;
}

/**
 * Removes replaced contents, contents that a killed process has stored without a record, and all blobs of pages that no
 * longer exist. Call it between the record of the last page and the report of the run's end. In this time, a later run
 * cannot start without cancelling this run.
 *
 * @throws the error of a failed removal, after all removals in progress have ended. Otherwise, one of them could remove
 *   a blob that a later start of the job writes.
 */
export async function removeUnretainedPages(sweep: Sweep): Promise<void> {
  const { records, contents } = getCrawlFolders(sweep.run);
  // Removes records before contents, so that no record references a removed content.
  await removeUnneededBlobs(sweep, records, (page) => sweep.complete && !sweep.retained.hasPage(page));
  await removeUnneededBlobs(sweep, contents, (name) => isUnreferencedContent(sweep, name));
}

function isUnreferencedContent({ retained, complete, run }: Sweep, name: string): boolean {
  const [page = '', generation = '0'] = name.split('.');
  if (Number(generation) > run.generation) return false;
  return retained.hasPage(page) ? !retained.needsContent(page, name) : complete;
}

async function removeUnneededBlobs(
  { blobs, signal }: Sweep,
  folder: string,
  isUnneeded: (name: string) => boolean,
): Promise<void> {
  let unneeded: string[] = [];
  const removeListed = async (): Promise<void> => {
    const removals = await Promise.allSettled(unneeded.map((key) => blobs.remove(key)));
    unneeded = [];
    for (const removal of removals) if (removal.status === 'rejected') throw removal.reason;
  };
  for await (const key of blobs.list(folder)) {
    signal.throwIfAborted();
    if (isUnneeded(key.slice(folder.length))) unneeded.push(key);
    if (unneeded.length === CONCURRENT_REMOVALS) await removeListed();
  }
  await removeListed();
}
