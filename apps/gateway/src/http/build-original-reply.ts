import { createHash } from 'node:crypto';
import { isBlobNotFound } from '@quarry/blob-store';
import { MEDIA_TYPES } from '@quarry/file-types';
import type { Problem } from '@quarry/service-kit';
import type { Original } from '../files/file-repository.js';
import type { Gateway } from '../gateway.js';
import { parseByteRange } from './byte-range.js';
import type { Client } from './call.js';
import { formatContentDisposition } from './content-disposition.js';
import { matchesEtag } from './matches-etag.js';
import { buildBytesReply, type BinaryBody, type Reply } from './reply.js';
import { problem } from '../problems.js';
import { cleanFileName } from '../uploads/file-document.js';

const OTHER_TYPE = 'application/octet-stream';
const SERVED_TYPES = Object.values(MEDIA_TYPES);
/**
 * Lists the media types with which stored original files and texts are sent. Bytes of any other type are sent as
 * `application/octet-stream`, so that a browser does not interpret them.
 */
export const ORIGINAL_TYPES: readonly string[] = [...SERVED_TYPES, OTHER_TYPE];

type OriginalReply = Reply<200, BinaryBody> | Reply<206, BinaryBody> | Reply<304, undefined>;

/**
 * Builds the reply with all or some of the stored bytes of a file datasource or text datasource.
 *
 * @throws Problem 404 if the datasource has no stored bytes, 416 for a range beyond the end
 */
export async function buildOriginalReply(
  { blobs }: Pick<Gateway, 'blobs'>,
  original: Original,
  client: Pick<Client, 'getHeader'>,
): Promise<OriginalReply> {
  const { blobKey } = original;
  if (blobKey === null) throw createNoOriginalProblem(original);
  const etag = `"${createHash('sha256').update(blobKey).digest('base64url')}"`;
  const headers = { ...buildOriginalHeaders(original), ETag: etag };
  if (matchesEtag(client.getHeader('if-none-match'), etag)) return { status: 304, headers };
  const size = getStoredSize(original);
  const condition = client.getHeader('if-range');
  const isCurrent = condition === undefined || condition === etag;
  const range = size === undefined || !isCurrent ? 'whole' : parseByteRange(client.getHeader('range'), size);
  if (range === 'unsatisfiable') throw createRangeProblem(size ?? 0);
  const bytes = await blobs.read(blobKey, range === 'whole' ? undefined : range).catch((error: unknown) => {
    throw isBlobNotFound(error) ? createNoOriginalProblem(original) : error;
  });
  if (size === undefined) return buildBytesReply(200, bytes, headers);
  const ranged = { ...headers, 'Accept-Ranges': 'bytes' };
  if (range === 'whole') return buildBytesReply(200, bytes, { ...ranged, 'Content-Length': String(size) });
  const { start, length } = range;
  const selected = `bytes ${String(start)}-${String(start + length - 1)}/${String(size)}`;
  return buildBytesReply(206, bytes, { ...ranged, 'Content-Length': String(length), 'Content-Range': selected });
}

/** Builds headers that keep a browser from displaying or running the bytes, and shared caches from storing them. */
function buildOriginalHeaders({ type, name, mimeType }: Original): Readonly<Record<string, string>> {
  const fileName = cleanFileName(name);
  const isText = type === 'document';
  return {
    // An upserted text is stored as UTF-8. The encoding of a file is unknown.
    'Content-Type': isText
      ? `${MEDIA_TYPES.txt}; charset=utf-8`
      : (SERVED_TYPES.find((known) => known === mimeType) ?? OTHER_TYPE),
    'Content-Disposition': formatContentDisposition(
      isText && !fileName.endsWith('.txt') ? `${fileName}.txt` : fileName,
    ),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'Cache-Control': 'private, no-cache',
  };
}

/** Returns the size of a stored file in bytes, or undefined for a text, because the size of texts is not stored. */
function getStoredSize({ config: { fileSize } }: Original): number | undefined {
  return typeof fileSize === 'number' && Number.isSafeInteger(fileSize) && fileSize > 0 ? fileSize : undefined;
}

function createNoOriginalProblem({ id, type }: Original): Problem {
  const why = 'Quarry stores the bytes of uploaded files and upserted texts only';
  return problem('no_original', `The datasource ${id} of the type ${type} has no stored original: ${why}.`);
}

function createRangeProblem(size: number): Problem {
  return problem('range_not_satisfiable', `The range must begin within the ${String(size)} bytes of the file.`, {
    headers: { 'Content-Range': `bytes */${String(size)}` },
  });
}
