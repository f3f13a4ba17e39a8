import { fileURLToPath } from 'node:url';
import type { BlobStore } from '@quarry/blob-store';
import { openFileBlobStore } from '@quarry/blob-store-file';
import type { S3Settings } from '@quarry/blob-store-s3';

/** Describes the address of a blob store. */
export interface BlobAddress {
  /** URL of the store: `s3://bucket/prefix`, or `file:///folder` for a folder that all services share. */
  readonly url: string;
  /** Settings of the S3 server. They are ignored if `url` does not start with `s3://`. */
  readonly s3: S3Settings;
}

/**
 * Opens the blob store at an address. Loads the S3 client only for an S3 address.
 *
 * @param onUnavailable receives the reason if the S3 server is unavailable. The returned store works as soon as the
 * server is available. Absent: an error is thrown instead.
 * @throws RangeError if `url` starts neither with `s3://` nor with `file:`; Error if the store cannot be used
 */
export async function openBlobStore(
  { url, s3 }: BlobAddress,
  onUnavailable?: (reason: Error) => void,
): Promise<BlobStore> {
  if (url.startsWith('file:')) return openFileBlobStore(fileURLToPath(url));
  const { openS3BlobStore } = await import('@quarry/blob-store-s3');
  return openS3BlobStore(url, s3, onUnavailable);
}
