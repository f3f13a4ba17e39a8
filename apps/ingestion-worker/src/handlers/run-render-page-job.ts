import { Readable } from 'node:stream';
import { isBlobNotFound, type BlobStore } from '@quarry/blob-store';
import {
  formatCount,
  GiveUp,
  PAGE_PICTURE_FAILURES,
  type PagePictureFailure,
  type PagePictureFailureCode,
  type PagePictureJobs,
  type RenderPage,
} from '@quarry/contracts';
import { ReaderProcessExited, ReadingFailed, type DocumentReader } from '@quarry/document-readers';
import type { JobContext, JobFailure } from '@quarry/queue';
import { withLocalCopy } from '../indexing/local-copy.js';

export interface RenderPageParts {
  readonly blobs: BlobStore;
  readonly reader: Pick<DocumentReader, 'renderPicture'>;
  /** Maximum size of a PDF in bytes. Pages of a larger PDF are not rendered. */
  readonly maxFileBytes: number;
  readonly now: () => Date;
}

/**
 * Renders a page of a PDF. Stores a blob with the picture, or a blob with the reason why the page cannot be rendered.
 * The gateway removes these blobs later. If the PDF was removed during the job, this function removes the picture
 * itself.
 *
 * @throws an error if another attempt can succeed
 */
export async function runRenderPageJob(
  parts: RenderPageParts,
  job: RenderPage,
  { signal, log }: Pick<JobContext, 'signal' | 'log'>,
): Promise<void> {
  const { blobs } = parts;
  if (await hasBlob(blobs, job.pictureKey)) return;
  const png = await renderPageAsPng(parts, job, signal).catch((error: unknown) => toRenderingFailureOrThrow(error));
  if (png instanceof RenderingFailed) {
    log.warn({ code: png.code, blobKey: job.blobKey, page: job.page }, `a page was not rendered: ${png.message}`);
    return storeRenderingFailure(parts, job, png);
  }
  await blobs.write(job.pictureKey, Readable.from([png]));
  if (!(await hasBlob(blobs, job.blobKey))) await blobs.remove(job.pictureKey);
}

/**
 * Stores that a page could not be rendered, after the last attempt has failed. Requests for the picture then fail
 * immediately instead of waiting for it.
 */
export async function storeFinalRenderingFailure(
  parts: RenderPageParts,
  failure: JobFailure<PagePictureJobs>,
  { log }: Pick<JobContext, 'log'>,
): Promise<void> {
  const { code, message } = failure.reason;
  log.warn({ code }, `a job that renders a page failed: ${message}`);
  if (!failure.readable) return;
  const reason = new RenderingFailed('internal_error', 'The page could not be rendered because of an internal error.');
  await storeRenderingFailure(parts, failure.payload, reason);
}

/** Error that reports that a page cannot be rendered, and that a further attempt would fail, too. */
class RenderingFailed extends Error {
  readonly code: PagePictureFailureCode;

  constructor(code: PagePictureFailureCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RenderingFailed';
    this.code = code;
  }
}

async function renderPageAsPng(
  { blobs, reader, maxFileBytes }: RenderPageParts,
  { blobKey, page, width }: RenderPage,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const source = { blobs, key: blobKey, part: undefined, maxBytes: maxFileBytes };
  const { pages, picture } = await withLocalCopy(source, signal, (path) =>
    reader.renderPicture(path, { page, width }, { signal }),
  );
  if (picture === undefined) {
    throw new RenderingFailed('page_not_found', `The PDF has ${formatCount(pages, 'page')}; there is no page ${page}.`);
  }
  return picture.png;
}

/** Converts an error to the failure that the job stores. @throws the error itself if another attempt can succeed */
function toRenderingFailureOrThrow(error: unknown): RenderingFailed {
  if (error instanceof RenderingFailed) return error;
  if (error instanceof ReadingFailed || error instanceof GiveUp) {
    const known = PAGE_PICTURE_FAILURES.find((code) => code === error.code) ?? 'file_unreadable';
    return new RenderingFailed(known, error.message, { cause: error });
  }
  // The operating system sends SIGKILL when memory is short. The file is not the cause, so another attempt may succeed.
  if (error instanceof ReaderProcessExited && error.signal !== 'SIGKILL') {
    return new RenderingFailed('file_unreadable', 'The page crashed the reader process.', { cause: error });
  }
  throw error;
}

async function storeRenderingFailure(
  { blobs, now }: RenderPageParts,
  { failureKey }: RenderPage,
  { code, message }: RenderingFailed,
): Promise<void> {
  const failure: PagePictureFailure = { code, message, failedAt: now().toISOString() };
  await blobs.write(failureKey, Readable.from([Buffer.from(JSON.stringify(failure))]));
}

/** Returns whether a blob exists, by reading its first byte. */
async function hasBlob(blobs: BlobStore, key: string): Promise<boolean> {
  try {
    const content = await blobs.read(key, { start: 0, length: 1 });
    content.destroy();
    return true;
  } catch (error) {
    if (isBlobNotFound(error)) return false;
    throw error;
  }
}
