import { Readable } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import { isBlobNotFound, type BlobStore } from '@quarry/blob-store';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { pagePictureQueue, type RenderPage } from '@quarry/contracts';
import { openDocumentReader, ReaderProcessExited, type DocumentReader } from '@quarry/document-readers';
import { decodePng, makePdf, layOutInColumn } from '@quarry/document-readers/testing';
import { createInMemoryQueues, type InMemoryQueues } from '@quarry/queue/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startPagePictureConsumer } from '../consumers.js';
import { READING } from '../testing/worker-under-test.js';

const NOW = '2026-11-23T12:00:00.000Z';
const FOLDER = 'org/store/source';
const job = {
  ...{ organizationId: 'org', blobKey: `${FOLDER}/pdf`, page: 1, width: 400, round: 0 },
  ...{ pictureKey: `${FOLDER}/pages/1.png`, failureKey: `${FOLDER}/pages/1.json` },
} satisfies RenderPage;

const reader = openDocumentReader(READING);
afterAll(() => reader.close());

let blobs: BlobStore;
let queues: InMemoryQueues;
beforeEach(() => {
  blobs = createInMemoryBlobStore();
  queues = createInMemoryQueues();
});

async function storePdfAndRunJob(
  pdf: Uint8Array,
  more: Partial<RenderPage> = {},
  using: Partial<DocumentReader> = reader,
) {
  await blobs.write(job.blobKey, Readable.from([pdf]));
  return runJob(more, { ...reader, ...using });
}

async function runJob(more: Partial<RenderPage>, using: DocumentReader): Promise<void> {
  const parts = { queues, blobs, reader: using, maxFileBytes: 1_000_000, now: () => new Date(NOW) };
  const consumer = startPagePictureConsumer(parts, 1);
  await queues.createProducer(pagePictureQueue).add('render-page', { ...job, ...more });
  await queues.runAllJobs();
  await consumer.close(0);
}

const readFailure = async (): Promise<unknown> => json(await blobs.read(job.failureKey));
const isStored = async (key: string): Promise<boolean> =>
  blobs.read(key).then(
    () => true,
    (error: unknown) => !isBlobNotFound(error),
  );

describe('a render-page job', { timeout: 60_000 }, () => {
  it('a render-page job stores the picture of a page, and does not render the page again if the job runs twice', async () => {
    const pdf = makePdf([layOutInColumn(['One.']), layOutInColumn(['Two.'])]);
    await storePdfAndRunJob(pdf, { page: 2 });
    const picture = await buffer(await blobs.read(job.pictureKey));
    expect(decodePng(picture)).toMatchObject({ width: 400, height: 518 });
    const refuse = { renderPicture: () => Promise.reject(new Error('rendered twice')) };
    await storePdfAndRunJob(pdf, { page: 2, round: 1 }, refuse);
    expect(queues.listFailures(pagePictureQueue)).toEqual([]);
    expect(await buffer(await blobs.read(job.pictureKey))).toEqual(picture);
    expect(await isStored(job.failureKey)).toBe(false);
  });

  it.each([
    ['a page beyond the end', makePdf([[]]), { page: 2 }, 'page_not_found'],
    ['an encrypted PDF', makePdf([[]], { encrypted: true }), {}, 'file_encrypted'],
    ['a file that is no PDF', Buffer.from('A text.'), {}, 'file_unreadable'],
    ['a file over the limit', Buffer.alloc(1_000_001), {}, 'file_too_large'],
  ])('a render-page job stores why it cannot render %s, and completes', async (_name, pdf, more, code) => {
    await storePdfAndRunJob(pdf, more);
    expect(await readFailure()).toMatchObject({ code, failedAt: NOW });
    expect(queues.listFailures(pagePictureQueue)).toEqual([]);
    expect(await isStored(job.pictureKey)).toBe(false);
  });

  it('a render-page job stores why it cannot render a PDF that no longer exists', async () => {
    await runJob({}, reader);
    expect(await readFailure()).toMatchObject({ code: 'content_missing' });
  });

  it('a render-page job stores why it cannot render a page that crashes the reader process', async () => {
    const crash = new ReaderProcessExited({ signal: 'SIGSEGV', code: null }, '');
    await storePdfAndRunJob(makePdf([[]]), {}, { renderPicture: () => Promise.reject(crash) });
    expect(await readFailure()).toMatchObject({ code: 'file_unreadable' });
  });

  it('a render-page job whose reader process is killed is retried, and stores the failure after its last attempt', async () => {
    let attempts = 0;
    const renderPicture = async (): Promise<never> => {
      attempts += 1;
      return Promise.reject(new ReaderProcessExited({ signal: 'SIGKILL', code: null }, ''));
    };
    await storePdfAndRunJob(makePdf([[]]), {}, { renderPicture });
    expect(attempts).toBe(3);
    expect(await readFailure()).toMatchObject({ code: 'internal_error' });
  });

  it('a render-page job removes the picture of a PDF that was removed during the job', async () => {
    const removing: Partial<DocumentReader> = {
      renderPicture: async (...request) => {
        const rendered = await reader.renderPicture(...request);
        await blobs.removeAll(`${FOLDER}/`);
        return rendered;
      },
    };
    await storePdfAndRunJob(makePdf([[]]), {}, removing);
    expect(await isStored(job.pictureKey)).toBe(false);
  });
});
