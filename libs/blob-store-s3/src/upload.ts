import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { splitIntoParts } from './split-into-parts.js';

export interface S3Object {
  readonly Bucket: string;
  readonly Key: string;
}

/**
 * Size in bytes of each part but the last: the minimum that S3 accepts. An S3 object has at most 10,000 parts, so a
 * blob has at most 50 GB.
 */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * Uploads an object, in one request if it is smaller than a part. The object can be read only after the last request
 * has succeeded. If a request fails, the parts uploaded so far are removed.
 *
 * @returns the number of bytes written
 */
export async function uploadObject(client: S3Client, object: S3Object, content: Readable): Promise<number> {
  const sent: SentPart[] = [];
  let UploadId: string | undefined;
  try {
    for await (const body of splitIntoParts(content, PART_BYTES)) {
      const isWhole = sent.length === 0 && body.length < PART_BYTES;
      if (isWhole) return await putObject(client, object, body);
      UploadId ??= (await client.send(new CreateMultipartUploadCommand(object))).UploadId;
      sent.push(await sendUploadPart(client, { ...object, UploadId, PartNumber: sent.length + 1 }, body));
    }
    const Parts = sent.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
    await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    if (UploadId !== undefined) await abortUpload(client, { ...object, UploadId });
    throw error;
  }
  return sent.reduce((total, { size }) => total + size, 0);
}

interface SentPart {
  readonly PartNumber: number;
  readonly ETag: string | undefined;
  readonly size: number;
}

async function putObject(client: S3Client, object: S3Object, body: Uint8Array): Promise<number> {
  await client.send(new PutObjectCommand({ ...object, Body: body, ContentLength: body.length }));
  return body.length;
}

async function sendUploadPart(
  client: S3Client,
  part: S3Object & { readonly UploadId: string | undefined; readonly PartNumber: number },
  body: Uint8Array,
): Promise<SentPart> {
  const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: body, ContentLength: body.length }));
  return { PartNumber: part.PartNumber, ETag, size: body.length };
}

/**
 * Aborts an upload without throwing, so that the caller receives the original error. If aborting fails, a lifecycle
 * rule of the bucket must remove the uploaded parts.
 */
async function abortUpload(client: S3Client, upload: S3Object & { readonly UploadId: string }): Promise<void> {
  await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
}
