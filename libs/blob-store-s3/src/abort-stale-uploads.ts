import {
  AbortMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { S3Location } from './s3-address.js';

/**
 * Aborts multipart uploads that started before a given time. The processes that started these uploads are assumed to be
 * dead.
 *
 * @throws the error of the server, for example when it does not permit listing uploads; an AbortError when `signal`
 * aborts
 */
export async function abortStaleUploads(
  client: S3Client,
  location: S3Location,
  before: Date,
  signal: AbortSignal,
): Promise<void> {
  const target = { Bucket: location.bucket, Prefix: location.prefix };
  let next: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {};
  while (next !== undefined) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ ...target, ...next }),
      { abortSignal: signal },
    );
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Initiated === undefined || Initiated >= before) continue;
      await client.send(new AbortMultipartUploadCommand({ Bucket: location.bucket, Key, UploadId }), {
        abortSignal: signal,
      });
    }
    next =
      page.IsTruncated === true
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
  }
}
