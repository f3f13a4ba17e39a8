import { fileURLToPath } from 'node:url';
import type { BlobStore } from '@quarry/blob-store';
import { openFileBlobStore } from '@quarry/blob-store-file';
import type { S3Settings } from '@quarry/blob-store-s3';

/** Where blobs are. */
export interface BlobAddress {
  /** `s3://bucket/prefix`, or `file:///folder`, which is a folder that all services share. */
  readonly url: string;
  /** For `s3://` alone. */
  readonly s3: S3Settings;
}

/**
 * Opens the blob store that an address names. The S3 client is loaded when it is needed.
 *
 * @param onUnavailable receives the reason when nothing answers at the address: the store works once something does. Absent: that throws
 * @throws RangeError for another kind of address; when the store cannot be used
 */
export async function openBlobStore(
  { url, s3 }: BlobAddress,
  onUnavailable?: (reason: Error) => void,
): Promise<BlobStore> {
  if (url.startsWith('file:')) return openFileBlobStore(fileURLToPath(url));
  const { openS3BlobStore } = await import('@quarry/blob-store-s3');
  return openS3BlobStore(url, s3, onUnavailable);
}
