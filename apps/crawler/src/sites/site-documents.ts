import type { DocumentOutcomeFound, ReasonCode } from '@quarry/contracts';
import type { RunDocuments } from '@quarry/run-reporting';
import type { PageContent } from './page-record.js';

export interface Reason {
  readonly outcome: 'skipped' | 'failed';
  readonly code: ReasonCode;
  readonly message: string;
}

/** Records the pages of a site as documents of its run. */
export interface SiteDocuments {
  /** Hands a page to ingestion. */
  index(address: string, content: PageContent, blobKey: string): Promise<void>;
  /** Records why a page is not indexed. The gateway decides what happens to what is stored of it from before. */
  leaveOut(address: string, reason: Reason, name?: string): Promise<void>;
  /** The same for a page that was not requested. */
  leaveUnrequested(address: string, reason: Reason): Promise<void>;
  /** Documents that the run has recorded, over all its starts. */
  readonly recorded: number;
  /** Those that were requested, or known from before to be unchanged. */
  readonly fetched: number;
}

export function siteDocuments(documents: RunDocuments): SiteDocuments {
  let recorded = 0;
  const unrequested = new Set<string>();
  const settle = async (document: DocumentOutcomeFound): Promise<void> => {
    const response = await documents.record({ settled: [document] });
    recorded = response.documents;
  };
  return {
    get recorded() {
      return recorded;
    },
    get fetched() {
      return Math.max(0, recorded - unrequested.size);
    },
    index: async (documentKey, { name, mimeType, source, metadata }, blobKey) => {
      const response = await documents.record({
        toIndex: [{ documentKey, blobKey, name, mimeType, source, metadata }],
      });
      recorded = response.documents;
    },
    leaveOut: (documentKey, { outcome, code, message }, name) =>
      settle({ documentKey, outcome, code, message, source: documentKey, ...(name !== undefined && { name }) }),
    leaveUnrequested: (documentKey, { outcome, code, message }) => {
      unrequested.add(documentKey);
      return settle({ documentKey, outcome, code, message, source: documentKey });
    },
  };
}
