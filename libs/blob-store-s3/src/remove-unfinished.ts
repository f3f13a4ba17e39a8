import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { S3Location } from './s3-address.js';

/**
 * Removes what was sent of blobs that were begun before a time and never finished: of processes that were killed meanwhile.
 *
 * @throws what the server answers, such as that uploads may not be listed
 */
export async function removeUnfinished(client: S3Client, location: S3Location, before: Date): Promise<void> {
  const place = { Bucket: location.bucket, Prefix: location.prefix };
  let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
  while (next !== undefined) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ ...place, ...next }),
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Initiated === undefined || Initiated >= before) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket: location.bucket, Key, UploadId }));
    }
    next =
      page.IsTruncated === true
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
  }
}
