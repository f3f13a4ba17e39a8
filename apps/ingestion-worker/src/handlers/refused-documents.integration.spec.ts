import { beforeEach, describe, expect, it } from 'vitest';
import { layOutInColumn, makePdf } from '@quarry/document-readers/testing';
import { TEXT, useWorkers, type IndexingJob, type WorkerUnderTest } from '../testing/worker-under-test.js';

const PDF = 'application/pdf';
const start = useWorkers();
let worker: WorkerUnderTest;
beforeEach(() => {
  worker = start();
});

describe('a document that cannot be indexed', { timeout: 60_000 }, () => {
  it.each<[string, string, string | Uint8Array, Partial<IndexingJob>]>([
    ['file_empty', 'a file of 0 bytes', '', {}],
    ['no_text_found', 'a page without text', makePdf([[]]), { mimeType: PDF }],
    ['file_encrypted', 'an encrypted file', makePdf([layOutInColumn(['x'])], { encrypted: true }), { mimeType: PDF }],
    ['file_unreadable', 'a damaged file', `%PDF-1.7\n${'garbage '.repeat(99)}`, { mimeType: PDF }],
    ['file_type_mismatch', 'text declared as PDF', TEXT, { mimeType: PDF }],
    [
      'file_type_mismatch',
      'a file whose name has another extension',
      TEXT,
      { datasourceType: 'file', name: 'scan.pdf' },
    ],
    ['file_type_unsupported', 'a file of an unsupported type', TEXT, { mimeType: 'text/html' }],
    [
      'content_missing',
      'a document whose content is missing',
      TEXT,
      { blobKey: 'organization/datastore/datasource/gone' },
    ],
  ])(
    'the worker emits the code %s after the first attempt to index %s, and makes no other attempt',
    async (code, _, content, more) => {
      const job = await worker.upload(content, more);
      const events = await worker.index(job);
      const firstStart = 19_999;
      expect(events.at(-1)?.payload).toMatchObject({
        ...{ status: 'error', code, counters: { failed: 1 } },
        sequence: firstStart,
      });
      expect(events.at(-1)?.payload).toHaveProperty('message', expect.stringMatching(/^[A-Z].{15,}\.$/s));
      await expect(worker.describeStored(job)).resolves.toBeUndefined();
    },
  );

  it.each([
    ['No text was found in blank.txt.', ' \n ', { name: 'blank.txt' }],
    [
      'No text was found in scan.pdf. If it is a scan, enable text recognition with QUARRY_OCR, or add a text layer with OCR.',
      makePdf([[]]),
      { name: 'scan.pdf', mimeType: PDF },
    ],
  ])(
    'if a file contains no text, the worker fails the document with the message “%s”',
    async (message, content, more) => {
      const job = await worker.upload(content, more);
      await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ message });
    },
  );

  it('the worker fails the document if its file exceeds the size limit', async () => {
    const small = start({ maxFileBytes: 10 });
    await expect(small.indexAndGetLastEvent(await small.upload(TEXT))).resolves.toMatchObject({
      code: 'file_too_large',
      message: 'The file is over the limit of 10 bytes.',
    });
  });

  it('the worker keeps the stored version of a document if its new content cannot be read', async () => {
    const first = await worker.upload(TEXT);
    await worker.index(first);
    await worker.index(await worker.upload('', {}));
    await expect(worker.search('warranty', first)).resolves.toHaveLength(1);
  });
});
