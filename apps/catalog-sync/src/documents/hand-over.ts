import type { BlobStore } from '@quarry/blob-store';
import type {
  DatasourceStatusJobs,
  DocumentSettled,
  IndexDocument,
  IngestionJobs,
  SyncCatalog,
} from '@quarry/contracts';
import type { Producer } from '@quarry/queue-bullmq';
import type { ListedItem } from '../listing/listed-item.js';
import { readItem } from '../listing/read-item.js';
import type { DecidedItem } from '../scan/ledger.js';
import { blobKey, writeBlobs } from './item-blobs.js';
import { documentName, itemDocument, type ItemDocument } from './item-document.js';

export interface HandOverContext {
  readonly blobs: BlobStore;
  readonly ingestion: Pick<Producer<IngestionJobs>, 'addAll'>;
  readonly status: Pick<Producer<DatasourceStatusJobs>, 'addAll'>;
  readonly now: () => Date;
}

/** Hands the changed items to ingestion, and settles those that it need not see. When it returns, that is durable. */
export async function handOver(
  context: HandOverContext,
  job: SyncCatalog,
  decided: readonly DecidedItem[],
): Promise<void> {
  const documents: (ItemDocument & { readonly item: ListedItem })[] = [];
  const settled: DocumentSettled[] = [];
  for (const { item, decision } of decided) {
    if (decision === 'leave' || decision === 'defer') continue;
    const reading = readItem(item);
    if (!reading.valid)
      settled.push({
        ...settlement(context, job, item),
        outcome: 'failed',
        code: 'item_invalid',
        message: reading.problem,
      });
    else if (decision === 'hand-over') documents.push({ ...itemDocument(reading.item), item });
    else settled.push({ ...settlement(context, job, item), outcome: 'unchanged', name: documentName(reading.item) });
  }
  const contents = documents.map(({ item, markdown }) => ({ documentKey: item.documentKey, content: markdown }));
  await writeBlobs(context.blobs, job, contents);
  const jobs = documents.map((document) => ({ name: 'index-document', payload: indexJob(job, document) }) as const);
  if (jobs.length > 0) await context.ingestion.addAll(jobs);
  if (settled.length > 0)
    await context.status.addAll(settled.map((payload) => ({ name: 'document-settled', payload })));
}

function settlement(
  { now }: HandOverContext,
  { datasourceId, runId }: SyncCatalog,
  { documentKey }: ListedItem,
): Pick<DocumentSettled, 'datasourceId' | 'runId' | 'documentKey' | 'at'> {
  return { datasourceId, runId, documentKey, at: now().toISOString() };
}

function indexJob(job: SyncCatalog, document: ItemDocument & { readonly item: ListedItem }): IndexDocument {
  const { organizationId, datastoreId, datasourceId, datasourceType, runId, generation, splitting } = job;
  return {
    ...{ organizationId, datastoreId, datasourceId, datasourceType, runId, generation, splitting },
    ...(job.customId === undefined ? {} : { customId: job.customId }),
    ...(job.embedding === undefined ? {} : { embedding: job.embedding }),
    partOfRun: true,
    documentKey: document.item.documentKey,
    name: document.name,
    blobKey: blobKey(job, document.item.documentKey),
    mimeType: 'text/markdown',
    ...(document.source === undefined ? {} : { source: document.source }),
    metadata: document.metadata,
  };
}
