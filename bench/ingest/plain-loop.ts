import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { openFileBlobStore } from '@quarry/blob-store-file';
import { createEmbedderOpener } from '@quarry/embedder-factory';
import { openLanceDbFragmentStore } from '@quarry/fragment-store-lancedb';
import { openDocumentReader } from '@quarry/document-readers';
import { indexDocument, readWorkerSettings } from '@quarry/ingestion-worker';
import { EMBEDDING, type ConstantProvider } from './constant-provider.js';
import type { CorpusFile } from './corpus.js';
import type { IngestedCorpus } from './ingested-corpus.js';

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Ingests one document after the other with Quarry's libraries, in one process without queues, services and database.
 */
export async function ingestInPlainLoop(
  corpus: readonly CorpusFile[],
  folder: string,
  provider: ConstantProvider,
): Promise<IngestedCorpus> {
  const settings = readWorkerSettings({});
  const blobs = await openFileBlobStore(join(folder, 'blobs'));
  const fragmentStore = await openLanceDbFragmentStore({ directory: join(folder, 'fragments'), log: QUIET });
  const reader = openDocumentReader(settings.reading);
  const parts = {
    blobs,
    fragmentStore,
    reader,
    getEmbedder: createEmbedderOpener({ address: { provider: 'openai', baseUrl: provider.baseUrl } }),
    maxFileBytes: settings.maxFileBytes,
    claimTokens: () => Promise.resolve({ granted: true }),
  };
  let fragments = 0;
  const begun = performance.now();
  for (const [index, { name, path, mimeType }] of corpus.entries()) {
    const blobKey = `o/d/s${index}/content`;
    await blobs.write(blobKey, createReadStream(path));
    const indexed = await indexDocument(
      parts,
      {
        ...{ organizationId: 'o', datastoreId: 'd', datasourceId: `s${index}`, datasourceType: 'file' },
        ...{ runId: `r${index}`, generation: 1, documentKey: name, name, blobKey, mimeType },
        embedding: EMBEDDING,
        splitting: { maxTokens: 512, overlapTokens: 64 },
      },
      { signal: new AbortController().signal, lastAttempt: true, log: QUIET, onProgress: () => undefined },
    );
    fragments += indexed.fragments;
  }
  const seconds = (performance.now() - begun) / 1_000;
  await Promise.all([reader.close(), fragmentStore.close()]);
  return { way: 'plain loop', documents: corpus.length, fragments, seconds };
}
