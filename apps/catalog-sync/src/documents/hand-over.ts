import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
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
import { documentName, itemDocument, type ItemDocument } from './item-document.js';

export interface HandOverContext {
  readonly blobs: BlobStore;
  readonly ingestion: Pick<Producer<IngestionJobs>, 'addAll'>;
  readonly status: Pick<Producer<DatasourceStatusJobs>, 'addAll'>;
  readonly now: () => Date;
}

const BLOBS_AT_ONCE = 16;

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
  await writeBlobs(context.blobs, job, documents);
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

async function writeBlobs(
  blobs: BlobStore,
  job: SyncCatalog,
  documents: readonly (ItemDocument & { readonly item: ListedItem })[],
): Promise<void> {
  for (let begin = 0; begin < documents.length; begin += BLOBS_AT_ONCE) {
    const several = documents.slice(begin, begin + BLOBS_AT_ONCE);
    await Promise.all(several.map(({ item, markdown }) => blobs.write(blobKey(job, item), Readable.from([markdown]))));
  }
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
    blobKey: blobKey(job, document.item),
    mimeType: 'text/markdown',
    ...(document.source === undefined ? {} : { source: document.source }),
    metadata: document.metadata,
  };
}

/** One place for all versions of an item: what an earlier run handed over and ingestion has not read yet is out of date. */
function blobKey(job: SyncCatalog, { documentKey }: ListedItem): string {
  return `${folderOf(job)}/items/${createHash('sha256').update(documentKey).digest('base64url')}`;
}

/** A datasource's place in the blob store. */
export function folderOf({ organizationId, datastoreId, datasourceId }: SyncCatalog): string {
  return `${organizationId}/${datastoreId}/${datasourceId}`;
}
