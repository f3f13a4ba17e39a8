import { Batcher } from '@quarry/batching';
import type { DocumentOutcomeFound, DocumentToIndex } from '@quarry/contracts';
import type { RunDocuments } from '@quarry/run-reporting';
import type { SiteDocuments } from '../sites/settle-page.js';

type FoundDocument = { readonly toIndex: DocumentToIndex } | { readonly settled: DocumentOutcomeFound };

/**
 * Creates the object that records the pages of a site as documents of the run. While a request to the gateway is in
 * progress, further pages wait for the next request, which records them together.
 *
 * @param recordedBefore number of documents that earlier starts of the run recorded
 * @param unrequested the document keys of pages that were recorded without a request; the recorder adds further keys
 */
export function createSiteDocumentRecorder(
  documents: RunDocuments,
  recordedBefore: number,
  unrequested: Set<string>,
): SiteDocuments {
  let recorded = recordedBefore;
  const requests = new Batcher<FoundDocument>({
    lingerMs: 0,
    createAdmission: () => () => true,
    commit: async (found) => {
      const response = await documents.recordFoundDocuments({
        toIndex: found.flatMap((each) => ('toIndex' in each ? [each.toIndex] : [])),
        settled: found.flatMap((each) => ('settled' in each ? [each.settled] : [])),
      });
      recorded = response.documents;
    },
  });
  return {
    get recordedCount() {
      return recorded;
    },
    get fetchedCount() {
      return Math.max(0, recorded - unrequested.size);
    },
    enqueue: (documentKey, { name, mimeType, source, metadata }, blobKey) =>
      requests.addWrite({ toIndex: { documentKey, blobKey, name, mimeType, source, metadata } }),
    recordUnindexed: (documentKey, { outcome, code, message }, name) =>
      requests.addWrite({
        settled: { documentKey, outcome, code, message, source: documentKey, ...(name !== undefined && { name }) },
      }),
    recordUnrequested: (documentKey, { outcome, code, message }) => {
      unrequested.add(documentKey);
      return requests.addWrite({ settled: { documentKey, outcome, code, message, source: documentKey } });
    },
  };
}
