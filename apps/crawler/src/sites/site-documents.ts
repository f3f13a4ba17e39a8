import type { DocumentOutcomeFound, ReasonCode } from '@quarry/contracts';
import type { RunDocuments } from '@quarry/run-reporting';
import type { PageContent } from './page-records.js';

export interface Reason {
  readonly outcome: 'skipped' | 'failed';
  readonly code: ReasonCode;
  readonly message: string;
}

/** Records the pages of a site as documents of its run. */
export interface SiteDocuments {
  /** Enqueues a page for ingestion. */
  enqueue(documentKey: string, content: PageContent, blobKey: string): Promise<void>;
  /** Records why a page is not indexed. The gateway decides whether its stored fragments are removed. */
  recordUnindexed(documentKey: string, reason: Reason, name?: string): Promise<void>;
  /** Records why a page was not requested. */
  recordUnrequested(documentKey: string, reason: Reason): Promise<void>;
  /** Number of documents that the run has recorded in all its starts. */
  readonly recordedCount: number;
  /** Number of recorded documents that were requested, or are unchanged since an earlier run. */
  readonly fetchedCount: number;
}

/**
 * Creates the recorder of a site's pages.
 *
 * @param recordedBefore number of documents that earlier starts of the run recorded
 * @param unrequested the document keys of pages that were recorded without a request; receives further ones
 */
export function createSiteDocuments(
  documents: RunDocuments,
  recordedBefore: number,
  unrequested: Set<string>,
): SiteDocuments {
  let recorded = recordedBefore;
  const recordSettled = async (document: DocumentOutcomeFound): Promise<void> => {
    const response = await documents.record({ settled: [document] });
    recorded = response.documents;
  };
  return {
    get recordedCount() {
      return recorded;
    },
    get fetchedCount() {
      return Math.max(0, recorded - unrequested.size);
    },
    enqueue: async (documentKey, { name, mimeType, source, metadata }, blobKey) => {
      const response = await documents.record({
        toIndex: [{ documentKey, blobKey, name, mimeType, source, metadata }],
      });
      recorded = response.documents;
    },
    recordUnindexed: (documentKey, { outcome, code, message }, name) =>
      recordSettled({ documentKey, outcome, code, message, source: documentKey, ...(name !== undefined && { name }) }),
    recordUnrequested: (documentKey, { outcome, code, message }) => {
      unrequested.add(documentKey);
      return recordSettled({ documentKey, outcome, code, message, source: documentKey });
    },
  };
}
