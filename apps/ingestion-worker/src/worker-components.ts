import { listEmbeddingSourceNames } from '@quarry/embedder-factory';
import type { ServiceComponent } from '@quarry/service-kit';
import type { WorkerSettings } from './settings.js';

/** Lists the configured components of an ingestion worker. @param vectorStore the kind of the fragment store */
export function listWorkerComponents(
  { embedding, ocr }: Pick<WorkerSettings, 'embedding' | 'ocr'>,
  vectorStore: string,
): readonly ServiceComponent[] {
  return [
    { kind: 'vector_store', name: vectorStore },
    ...listEmbeddingSourceNames(embedding).map((name) => ({ kind: 'embedder', name })),
    ...(ocr === undefined ? [] : [{ kind: 'ocr', name: ocr.engine.kind }]),
  ];
}
