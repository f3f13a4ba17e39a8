import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BlobStore } from '@quarry/blob-store';
import type { SyncCatalog } from '@quarry/contracts';

type Datasource = Pick<SyncCatalog, 'organizationId' | 'datastoreId' | 'datasourceId'>;

const AT_ONCE = 16;

/** A datasource's place in the blob store. */
export function folderOf({ organizationId, datastoreId, datasourceId }: Datasource): string {
  return `${organizationId}/${datastoreId}/${datasourceId}`;
}

/** One place for all versions of an item: what an earlier run handed over and ingestion has not read yet is out of date. */
export function blobKey(datasource: Datasource, documentKey: string): string {
  return `${folderOf(datasource)}/items/${createHash('sha256').update(documentKey).digest('base64url')}`;
}

export async function writeBlobs(
  blobs: Pick<BlobStore, 'write'>,
  datasource: Datasource,
  documents: readonly { readonly documentKey: string; readonly content: string }[],
): Promise<void> {
  await severalAtOnce(documents, ({ documentKey, content }) =>
    blobs.write(blobKey(datasource, documentKey), Readable.from([content])),
  );
}

export async function removeBlobs(
  blobs: Pick<BlobStore, 'remove'>,
  datasource: Datasource,
  documentKeys: readonly string[],
): Promise<void> {
  await severalAtOnce(documentKeys, (documentKey) => blobs.remove(blobKey(datasource, documentKey)));
}

async function severalAtOnce<T>(values: readonly T[], act: (value: T) => Promise<unknown>): Promise<void> {
  for (let begin = 0; begin < values.length; begin += AT_ONCE) {
    await Promise.all(values.slice(begin, begin + AT_ONCE).map(act));
  }
}
