import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { partsOf } from './parts-of.js';

export interface S3Object {
  readonly Bucket: string;
  readonly Key: string;
}

/** The least that S3 takes of a part that is not the last. Ten thousand parts, its most, are 50 GB. */
const PART_BYTES = 5 * 1024 * 1024;

/**
 * Writes an object, in one request where it is smaller than a part. Its key shows nothing of it before the last request has
 * succeeded; when any fails, what was sent is removed.
 *
 * @returns how many bytes were written
 */
export async function upload(client: S3Client, object: S3Object, content: Readable): Promise<number> {
  const sent: SentPart[] = [];
  let UploadId: string | undefined;
  try {
    for await (const body of partsOf(content, PART_BYTES)) {
      const isWhole = sent.length === 0 && body.length < PART_BYTES;
      if (isWhole) return await put(client, object, body);
      UploadId ??= (await client.send(new CreateMultipartUploadCommand(object))).UploadId;
      sent.push(await sendPart(client, { ...object, UploadId, PartNumber: sent.length + 1 }, body));
    }
    const Parts = sent.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
    await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    if (UploadId !== undefined) await abort(client, { ...object, UploadId });
    throw error;
  }
  return sent.reduce((total, { size }) => total + size, 0);
}

interface SentPart {
  readonly PartNumber: number;
  readonly ETag: string | undefined;
  readonly size: number;
}

async function put(client: S3Client, object: S3Object, body: Uint8Array): Promise<number> {
  await client.send(new PutObjectCommand({ ...object, Body: body, ContentLength: body.length }));
  return body.length;
}

async function sendPart(
  client: S3Client,
  part: S3Object & { readonly UploadId: string | undefined; readonly PartNumber: number },
  body: Uint8Array,
): Promise<SentPart> {
  const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: body, ContentLength: body.length }));
  return { PartNumber: part.PartNumber, ETag, size: body.length };
}

/** What went wrong before is what the caller has to know; parts that stay are removed by the bucket's lifecycle rule. */
async function abort(client: S3Client, upload: S3Object & { readonly UploadId: string }): Promise<void> {
  await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined);
}
