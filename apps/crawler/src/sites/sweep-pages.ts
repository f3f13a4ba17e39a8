import type { BlobStore } from '@quarry/blob-store';
import type { KeptPages } from './kept-pages.js';
import { crawlFolders, type PageRun } from './page-records.js';

export interface Sweep {
  readonly blobs: BlobStore;
  readonly run: PageRun;
  readonly kept: KeptPages;
  /** Whether pages that the run has not come by are gone. */
  readonly complete: boolean;
  readonly signal: AbortSignal;
}

/**
 * Removes the contents that newer ones have replaced, what a process that died had stored in vain, and everything of pages that
 * are not there any more. Comes when the run has handed on all its pages, and before it says so: until then no other run begins
 * that is not told first that this one is cancelled.
 */
export async function sweepPages(sweep: Sweep): Promise<void> {
  const { records, contents } = crawlFolders(sweep.run);
  // Records first: none is to name a content that is gone.
  await removeEach(sweep, records, (page) => sweep.complete && !sweep.kept.hasPage(page));
  await removeEach(sweep, contents, (name) => isNeedless(sweep, name));
}

function isNeedless({ kept, complete, run }: Sweep, name: string): boolean {
  const [page = '', generation = '0'] = name.split('.');
  if (Number(generation) > run.generation) return false;
  return kept.hasPage(page) ? !kept.needsContent(page, name) : complete;
}

async function removeEach({ blobs, signal }: Sweep, folder: string, isGone: (name: string) => boolean): Promise<void> {
  for await (const key of blobs.list(folder)) {
    signal.throwIfAborted();
    if (isGone(key.slice(folder.length))) await blobs.remove(key);
  }
}
