import { MEDIA_TYPES } from '@quarry/file-types';
import type { PagePictureFailure, PagePictureFailureCode } from '@quarry/contracts';
import type { Problem } from '@quarry/service-kit';
import type { DatasourceRow } from '../database/tables/datasources.js';
import type { Gateway } from '../gateway.js';
import { findPicture, isPictureFailure } from '../page-pictures/find-picture.js';
import { locatePicture } from '../page-pictures/locate-picture.js';
import { problem, type ProblemCode } from '../problems.js';
import type { Client } from './call.js';
import { matchesEtag } from './matches-etag.js';
import { buildBytesReply, type BinaryBody, type Reply } from './reply.js';

export const PICTURE_TYPE = 'image/png';

/** Describes a request for the picture of a page of a PDF file. */
interface PictureRequest {
  readonly datasource: DatasourceRow;
  /** The number of the page in the PDF file, from 1. */
  readonly page: number;
  /** Minimum width of the picture in pixels. */
  readonly width: number | undefined;
  readonly client: Pick<Client, 'getHeader'>;
  readonly signal: AbortSignal;
}

/**
 * Builds the reply with the picture of a page of a PDF file. If the picture is not stored, a worker renders it first.
 *
 * @throws Problem 404 if the page does not exist, 422 if the file is unreadable, 503 if the rendering failed; otherwise
 *   the errors of `waitForPicture`
 */
export async function buildPagePictureReply(
  { blobs, pageRenders, clock }: Pick<Gateway, 'blobs' | 'pageRenders' | 'clock'>,
  { datasource, page, width, client, signal }: PictureRequest,
): Promise<Reply<200, BinaryBody> | Reply<304, undefined>> {
  const { blobKey, mimeType } = datasource;
  if (blobKey === null || mimeType !== MEDIA_TYPES.pdf) throw createNoPagesProblem(datasource);
  const location = locatePicture(datasource, blobKey, { page, width }, clock());
  const headers = { ...SAFE_HEADERS, ETag: location.etag };
  if (matchesEtag(client.getHeader('if-none-match'), location.etag)) return { status: 304, headers };
  let found = await findPicture(blobs, location, clock());
  if (found === undefined) {
    await pageRenders.waitForPicture(location, signal);
    found = await findPicture(blobs, location, clock());
  }
  // While the request waited, the datasource and its pictures may have been removed.
  if (found === undefined) throw createNoPagesProblem(datasource);
  if (isPictureFailure(found)) throw createRenderFailureProblem(found);
  return buildBytesReply(200, found, headers);
}

/**
 * Headers that keep a browser from interpreting the bytes as anything but a picture, and shared caches from storing
 * them. The browser revalidates the picture before each use.
 */
const SAFE_HEADERS = {
  'Content-Type': PICTURE_TYPE,
  'Content-Disposition': 'inline',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'private, no-cache',
};

const PROBLEMS_OF_FAILURES: Readonly<Record<PagePictureFailureCode, ProblemCode>> = {
  page_not_found: 'page_not_found',
  content_missing: 'no_page_pictures',
  file_encrypted: 'page_unreadable',
  file_too_large: 'page_unreadable',
  file_unreadable: 'page_unreadable',
  reading_out_of_memory: 'page_unreadable',
  reading_timed_out: 'page_unreadable',
  internal_error: 'page_not_rendered',
};

function createRenderFailureProblem({ code, message }: PagePictureFailure): Problem {
  const kind = PROBLEMS_OF_FAILURES[code];
  return problem(kind, message, kind === 'page_not_rendered' ? { headers: { 'Retry-After': '60' } } : {});
}

function createNoPagesProblem({ id, type }: DatasourceRow): Problem {
  const why = 'Quarry shows the pages of uploaded PDF files only';
  return problem('no_page_pictures', `The datasource ${id} of the type ${type} has no pages: ${why}.`);
}
