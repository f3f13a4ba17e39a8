import { text } from 'node:stream/consumers';
import { BlobNotFound, type BlobStore } from '@quarry/blob-store';
import type { WholeReading } from '@quarry/contracts';
import type { FoundKeys } from './preview-removal.js';

/** Reads the document keys that a dry run has stored in a blob. @returns undefined if the blob was already read and removed */
export async function readDryRunKeys(
  blobs: Pick<BlobStore, 'read'>,
  { blobKey, valid }: WholeReading,
): Promise<FoundKeys | undefined> {
  try {
    const keys: unknown = JSON.parse(await text(await blobs.read(blobKey)));
    if (!Array.isArray(keys))
      throw new TypeError(`expected a list of document keys in ${blobKey}, found ${typeof keys}`);
    return { keys: new Set(keys.map(String)), valid };
  } catch (error) {
    if (error instanceof BlobNotFound) return undefined;
    throw error;
  }
}
