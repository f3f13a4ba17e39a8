import { openFileBlobStore } from '@quarry/blob-store-file';
import type { IndexDocument } from '@quarry/contracts';
import { createEmbedderOpener } from '@quarry/embedder-factory';
import { createInMemoryFragmentStore } from '@quarry/fragment-store/testing';
import { silentLog } from '@quarry/queue/testing';
import { indexDocument } from '../indexing/index-document.js';
import { openDocumentReader } from '@quarry/document-readers';

// Indexes one document in a process that a test kills. Arguments: the folder of the blobs, the base URL of the
// embedder, and the job as JSON.
const [, folder = '', baseUrl = '', payload = ''] = process.argv;

const reader = openDocumentReader({
  processes: 1,
  documentsPerProcess: 1,
  idleMs: 60_000,
  timeoutMs: 60_000,
  memoryMb: 1_024,
  maxCharacters: 10_000_000,
});
await indexDocument(
  {
    blobs: await openFileBlobStore(folder),
    fragmentStore: createInMemoryFragmentStore(),
    reader,
    getEmbedder: createEmbedderOpener({ address: { provider: 'openai', baseUrl } }),
    maxFileBytes: 10_000_000,
    claimTokens: async () => Promise.resolve({ granted: true }),
  },
  JSON.parse(payload) as IndexDocument, // the test wrote it
  { signal: new AbortController().signal, lastAttempt: true, log: silentLog, onProgress: () => undefined },
);
