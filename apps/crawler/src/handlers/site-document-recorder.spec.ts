import type { FoundDocuments, RunDocuments } from '@quarry/run-reporting';
import { describe, expect, it } from 'vitest';
import { createPageProblem } from '../pages/page.js';
import type { PageContent } from '../sites/page-records.js';
import { createSiteDocumentRecorder } from './site-document-recorder.js';

const CONTENT: PageContent = {
  ...{ source: 'https://site.test/a', name: 'A', mimeType: 'text/markdown', metadata: {}, links: [] },
  ...{ contentHash: 'hash', confirmedAt: '2026-01-01T00:00:00.000Z' },
};

/** Creates a gateway that stores the requests, and responds to each one after a macrotask. */
function createSlowDocuments(): { readonly documents: RunDocuments; readonly requests: FoundDocuments[] } {
  const requests: FoundDocuments[] = [];
  let documents = 0;
  return {
    requests,
    documents: {
      recordFoundDocuments: async (found) => {
        requests.push(found);
        await new Promise((resolve) => setTimeout(resolve, 5));
        documents += (found.toIndex?.length ?? 0) + (found.settled?.length ?? 0);
        return { state: 'wanted', deferred: [], documents };
      },
    },
  };
}

describe('createSiteDocumentRecorder', () => {
  it('while a request to the gateway is in progress, the recorder collects further pages, and sends them together in the next request', async () => {
    const { documents, requests } = createSlowDocuments();
    const recorder = createSiteDocumentRecorder(documents, 0, new Set());
    const first = recorder.enqueue('a', CONTENT, 'blob-a');
    await Promise.resolve();
    await Promise.resolve();
    const others = [
      recorder.enqueue('b', CONTENT, 'blob-b'),
      recorder.recordUnindexed('c', createPageProblem('noindex')),
      recorder.recordUnrequested('d', createPageProblem('limit_reached')),
    ];
    await first;
    expect(recorder.recordedCount).toBe(1);
    await Promise.all(others);
    const keys = requests.map(({ toIndex = [], settled = [] }) =>
      [...toIndex, ...settled].map(({ documentKey }) => documentKey),
    );
    expect(keys).toEqual([['a'], ['b', 'c', 'd']]);
    expect(recorder.recordedCount).toBe(4);
    expect(recorder.fetchedCount).toBe(3);
  });

  it('if the gateway refuses a request, the recorder rejects the promise of each page in the request', async () => {
    const documents: RunDocuments = {
      recordFoundDocuments: () => Promise.reject(new Error('the gateway is stopping')),
    };
    const recorder = createSiteDocumentRecorder(documents, 2, new Set());
    const results = await Promise.allSettled([
      recorder.enqueue('a', CONTENT, 'blob-a'),
      recorder.enqueue('b', CONTENT, 'blob-b'),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(recorder.recordedCount).toBe(2);
  });
});
