import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { CatalogSyncMode, DocumentOutcomeFound, DocumentToIndex, SyncCatalog } from '@quarry/contracts';
import { type ListedItem, validateItem } from '@quarry/item-listing';
import type { FoundDocuments } from '@quarry/run-reporting';
import { type BlobStore, getDatasourceFolder } from '@quarry/blob-store';
import { createItemDocument, type ItemDocument } from './item-document.js';

/**
 * Describes an item and the action that a sync takes for it:
 *
 * - `index`: the item is new, or differs from its indexed version
 * - `confirm`: a full sync found the item unchanged, and reports it, so that its document is not removed
 * - `skip`: an incremental sync found the item unchanged, and does not report it. The version can be invalid: an earlier
 *   sync has then reported it
 * - `reject`: the item violates the listing contract
 */
export type DecidedItem =
  | { readonly item: ListedItem; readonly decision: 'index'; readonly version: string; readonly document: ItemDocument }
  | { readonly item: ListedItem; readonly decision: 'confirm' | 'skip' }
  | { readonly item: ListedItem; readonly decision: 'reject'; readonly version: string; readonly problem: string };

export interface DecisionRules {
  readonly mode: CatalogSyncMode;
  readonly computeVersion: (item: ListedItem) => string;
}

/**
 * Number of items between two yields of `decideItemActions` to the event loop, which then can request the next page.
 */
const ITEMS_PER_SLICE = 50;

/**
 * Decides for each item whether the sync indexes, confirms, skips or rejects it.
 *
 * @param known the version of each item that the sync need not index again or reject again, in the order of `items`;
 *   null: there is none
 */
export async function decideItemActions(
  items: readonly ListedItem[],
  known: readonly (string | null)[],
  rules: DecisionRules,
): Promise<readonly DecidedItem[]> {
  const decided: DecidedItem[] = [];
  for (const [at, item] of items.entries()) {
    if (at % ITEMS_PER_SLICE === ITEMS_PER_SLICE - 1) await yieldToEventLoop();
    decided.push(decideItemAction(item, known[at] ?? null, rules));
  }
  return decided;
}

function decideItemAction(item: ListedItem, known: string | null, rules: DecisionRules): DecidedItem {
  const version = rules.computeVersion(item);
  if (version === known) return { item, decision: rules.mode === 'full' ? 'confirm' : 'skip' };
  const reading = validateItem(item);
  if (!reading.valid) return { item, decision: 'reject', version, problem: reading.problem };
  return { item, decision: 'index', version, document: createItemDocument(reading.item) };
}

type ItemToIndex = Extract<DecidedItem, { readonly decision: 'index' }>;

/**
 * Stores in the blob store the Markdown texts of the items that the sync indexes.
 *
 * @returns the documents to index and the documents that are settled without indexing, which the run then records
 */
export async function storeDocuments(
  blobs: BlobStore,
  job: SyncCatalog,
  decided: readonly DecidedItem[],
): Promise<FoundDocuments> {
  const changed = decided.filter((item) => item.decision === 'index');
  return {
    toIndex: await storeDocumentTexts(blobs, job, changed),
    settled: decided.flatMap(listOutcomesWithoutIndexing),
  };
}

/**
 * Lists the outcome of an item that the run confirms or rejects. Returns an empty list for an item to index or skip.
 */
function listOutcomesWithoutIndexing(decided: DecidedItem): readonly DocumentOutcomeFound[] {
  const { documentKey } = decided.item;
  if (decided.decision === 'confirm') return [{ documentKey, outcome: 'unchanged' }];
  if (decided.decision !== 'reject') return [];
  const { version, problem: message } = decided;
  return [{ documentKey, outcome: 'failed', code: 'item_invalid', message, version }];
}

/**
 * Stores the Markdown texts of all given items in one blob, because one write per item would be slow for 100,000 items.
 */
async function storeDocumentTexts(
  blobs: BlobStore,
  job: SyncCatalog,
  items: readonly ItemToIndex[],
): Promise<readonly DocumentToIndex[]> {
  if (items.length === 0) return [];
  const texts = items.map(({ document }) => Buffer.from(document.markdown));
  const content = Buffer.concat(texts);
  const blobKey = `${getRunBlobPrefix(job)}${hash('sha256', content, 'base64url')}`;
  await blobs.write(blobKey, Readable.from([content]));
  let start = 0;
  return items.map(({ item, version, document: { name, source, metadata } }, at) => {
    const blobPart = { start, length: texts[at]?.length ?? 0 };
    start += blobPart.length;
    return {
      ...{ documentKey: item.documentKey, version, name, blobKey, blobPart },
      ...{ mimeType: 'text/markdown', metadata },
      ...(source === undefined ? {} : { source }),
    };
  });
}

/**
 * Returns the prefix of the keys of a run's blobs, with a slash at the end. The next run removes the blobs with this
 * prefix.
 */
function getRunBlobPrefix(job: SyncCatalog): string {
  return `${getBlobPrefixOfAllRuns(job)}${job.generation}/`;
}

function getBlobPrefixOfAllRuns(job: SyncCatalog): string {
  return `${getDatasourceFolder(job)}runs/`;
}

/**
 * Removes the blobs of the datasource's earlier runs. Ingestion no longer needs them, because this run stores again
 * each document that is not indexed yet.
 */
export async function removeBlobsOfEarlierRuns(blobs: BlobStore, job: SyncCatalog): Promise<void> {
  const runs = getBlobPrefixOfAllRuns(job);
  const folders = new Set<string>();
  for await (const key of blobs.list(runs)) folders.add(key.slice(runs.length).split('/', 1).join());
  // A superseded run can start after the run that replaced it, so folders of newer runs stay. Older versions of Quarry
  // used folder names that are not numbers.
  for (const folder of folders) if (!(Number(folder) >= job.generation)) await blobs.removeAll(`${runs}${folder}/`);
}

/**
 * Stores the document keys of all items that a dry run found, as a JSON blob. The gateway reads and removes the blob.
 *
 * @returns the blob key
 */
export async function storeDocumentKeys(
  blobs: BlobStore,
  job: SyncCatalog,
  keys: ReadonlySet<string>,
): Promise<string> {
  const blobKey = `${getRunBlobPrefix(job)}seen`;
  await blobs.write(blobKey, Readable.from([JSON.stringify([...keys])]));
  return blobKey;
}
