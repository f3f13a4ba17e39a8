import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as othersHadTheirTurn } from 'node:timers/promises';
import type { BlobStore } from '@quarry/blob-store';
import type {
  DatasourceStatusJobs,
  DocumentSettled,
  IndexDocument,
  IngestionJobs,
  SyncCatalog,
} from '@quarry/contracts';
import type { NewJob, Producer } from '@quarry/queue-bullmq';
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

/** The listing is asked for its next page while the items of those before become documents. */
const ITEMS_A_TURN = 50;

/**
 * Hands the changed items to ingestion, and settles those that it need not see. When it returns, that is durable.
 *
 * @param intend done, and durable, before the first item is handed over
 */
export async function handOver(
  context: HandOverContext,
  job: SyncCatalog,
  decided: readonly DecidedItem[],
  intend: () => Promise<void>,
): Promise<void> {
  const documents: HandedOver[] = [];
  const settled: DocumentSettled[] = [];
  for (const [at, { item, decision }] of decided.entries()) {
    if (at % ITEMS_A_TURN === ITEMS_A_TURN - 1) await othersHadTheirTurn();
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
  const [jobs] = await Promise.all([jobsOf(context.blobs, job, documents), intend()]);
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

type HandedOver = ItemDocument & { readonly item: ListedItem };

/** One blob holds them all: a catalogue of 100,000 items would take as many writes. */
async function jobsOf(
  blobs: BlobStore,
  job: SyncCatalog,
  documents: readonly HandedOver[],
): Promise<readonly NewJob<IngestionJobs>[]> {
  if (documents.length === 0) return [];
  const texts = documents.map(({ markdown }) => Buffer.from(markdown));
  const together = Buffer.concat(texts);
  const blobKey = `${runFolder(job)}${hash('sha256', together, 'base64url')}`;
  await blobs.write(blobKey, Readable.from([together]));
  let start = 0;
  return documents.map((document, at) => {
    const blobPart = { start, length: texts[at]?.length ?? 0 };
    start += blobPart.length;
    return { name: 'index-document', payload: indexJob(job, document, { blobKey, blobPart }) };
  });
}

/**
 * Removes what earlier runs have kept and handed over. What ingestion has not read of it belongs to runs that were cancelled or given up,
 * after which every item is handed over again.
 */
export async function forgetEarlierRuns(blobs: BlobStore, job: SyncCatalog): Promise<void> {
  const all = runsFolder(job);
  const folders = new Set<string>();
  for await (const key of blobs.list(all)) folders.add(key.slice(all.length).split('/', 1).join());
  // A run that was superseded may begin after the one that came in its place. What is no number is older than these are.
  for (const folder of folders) if (!(Number(folder) >= job.generation)) await blobs.removeAll(`${all}${folder}/`);
}

/** Keeps the keys of all that a dry run has seen, for the gateway to read and remove. @returns the blob's key */
export async function keepKeys(blobs: BlobStore, job: SyncCatalog, keys: ReadonlySet<string>): Promise<string> {
  const blobKey = `${runFolder(job)}seen`;
  await blobs.write(blobKey, Readable.from([JSON.stringify([...keys])]));
  return blobKey;
}

function indexJob(
  job: SyncCatalog,
  document: HandedOver,
  content: Pick<IndexDocument, 'blobKey' | 'blobPart'>,
): IndexDocument {
  const { organizationId, datastoreId, datasourceId, datasourceType, runId, generation, splitting } = job;
  return {
    ...{ organizationId, datastoreId, datasourceId, datasourceType, runId, generation, splitting },
    ...(job.customId === undefined ? {} : { customId: job.customId }),
    ...(job.embedding === undefined ? {} : { embedding: job.embedding }),
    partOfRun: true,
    documentKey: document.item.documentKey,
    name: document.name,
    ...content,
    mimeType: 'text/markdown',
    ...(document.source === undefined ? {} : { source: document.source }),
    metadata: document.metadata,
  };
}

function runsFolder(job: SyncCatalog): string {
  return `${folderOf(job)}/runs/`;
}

/** Where a run keeps what nobody needs once the next one begins. */
export function runFolder(job: SyncCatalog): string {
  return `${runsFolder(job)}${job.generation}/`;
}

/** A datasource's place in the blob store. */
export function folderOf({ organizationId, datastoreId, datasourceId }: SyncCatalog): string {
  return `${organizationId}/${datastoreId}/${datasourceId}`;
}
