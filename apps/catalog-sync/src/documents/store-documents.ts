import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '@quarry/blob-store';
import type { DocumentOutcomeFound, DocumentToIndex, SyncCatalog } from '@quarry/contracts';
import type { DecidedItem } from './decide-items.js';
import { getRunFolder } from './run-folder.js';

/** Holds the documents that a run records: documents to index, and documents that settle without indexing. */
export interface FoundDocuments {
  readonly toIndex: readonly DocumentToIndex[];
  readonly settled: readonly DocumentOutcomeFound[];
}

type ItemToIndex = Extract<DecidedItem, { readonly decision: 'index' }>;

/** Stores the Markdown texts of the items to index in the blob store. @returns the documents that the run records */
export async function storeDocuments(
  blobs: BlobStore,
  job: SyncCatalog,
  decided: readonly DecidedItem[],
): Promise<FoundDocuments> {
  const changed = decided.filter((item) => item.decision === 'index');
  return { toIndex: await storeTexts(blobs, job, changed), settled: decided.flatMap(toOutcome) };
}

function toOutcome(decided: DecidedItem): readonly DocumentOutcomeFound[] {
  const { documentKey } = decided.item;
  if (decided.decision === 'confirm') return [{ documentKey, outcome: 'unchanged' }];
  if (decided.decision !== 'reject') return [];
  return [{ documentKey, outcome: 'failed', code: 'item_invalid', message: decided.problem }];
}

/** Stores the Markdown texts of all items in one blob. One blob per item would need 100,000 writes for 100,000 items. */
async function storeTexts(
  blobs: BlobStore,
  job: SyncCatalog,
  items: readonly ItemToIndex[],
): Promise<readonly DocumentToIndex[]> {
  if (items.length === 0) return [];
  const texts = items.map(({ document }) => Buffer.from(document.markdown));
  const content = Buffer.concat(texts);
  const blobKey = `${getRunFolder(job)}${hash('sha256', content, 'base64url')}`;
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
