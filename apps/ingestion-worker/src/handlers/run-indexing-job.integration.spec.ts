import { beforeEach, describe, expect, it } from 'vitest';
import { layOutInColumn, makePdf, makeUnmappedPdf } from '@quarry/document-readers/testing';
import {
  TEXT,
  EMBEDDING,
  selectDeterministicEvents,
  useWorkers,
  type WorkerUnderTest,
} from '../testing/worker-under-test.js';
import { removeDocument } from './remove-content.js';

const PDF = 'application/pdf';
const start = useWorkers();
let worker: WorkerUnderTest;
beforeEach(() => {
  worker = start();
});

describe('an indexing job', { timeout: 60_000 }, () => {
  it('the worker stores the fragments of a document and emits the events of its run', async () => {
    const job = await worker.upload(TEXT, {
      embedding: EMBEDDING,
      source: 'https://acme.example/manual',
      customId: 'c-1',
    });
    worker.onNextEmbedding(async (embed) => {
      await worker.waitForRunningEvent(job);
      return embed();
    });
    const events = await worker.index(job);
    expect(selectDeterministicEvents(events).map(({ payload }) => payload)).toMatchObject([{ status: 'synched' }]);
    expect(events.at(-1)?.payload).toMatchObject({
      datasourceId: 'datasource',
      counters: { discovered: 1, indexed: 1, failed: 0, unchanged: 0 },
      fragments: 1,
      storedTokens: (await worker.describeStored(job))?.tokens,
    });
    const [found] = await worker.search('warranty', job);
    expect(found).toMatchObject({
      text: TEXT,
      context: 'Manual',
      source: 'https://acme.example/manual',
      customId: 'c-1',
      documentKey: 'datasource/document',
    });
  });

  it('the worker embeds the fragments of a document if the datastore has embeddings', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ status: 'synched' });
    expect(worker.countEmbeddingCalls()).toBe(1);
    await expect(worker.describeStored(job)).resolves.toMatchObject({ fragments: 1 });
  });

  it('the worker stores the page number of each fragment', async () => {
    const pages = [layOutInColumn(['The warranty lasts two years.']), layOutInColumn(['The office is in Lisbon.'])];
    const job = await worker.upload(makePdf(pages), { mimeType: PDF, splitting: { maxTokens: 32, overlapTokens: 0 } });
    await worker.index(job);
    await expect(worker.search('warranty', job)).resolves.toMatchObject([{ page: 1 }]);
  });

  it('the worker emits the number of pages with text that could not be decoded', async () => {
    const pdf = makeUnmappedPdf('Readable', 'Unreadable');
    const incomplete = { undecodedPages: 1, pages: 1 };
    await expect(worker.indexAndGetLastEvent(await worker.upload(pdf, { mimeType: PDF }))).resolves.toMatchObject({
      status: 'synched',
      ...incomplete,
    });
    const part = { mimeType: PDF, partOfRun: true, documentKey: 'https://acme.example/a.pdf' };
    const [settled] = await worker.index(await worker.upload(pdf, part));
    expect(settled?.payload).toMatchObject({ outcome: 'indexed', ...incomplete });
    const complete = makePdf([layOutInColumn(['The warranty lasts two years.'])]);
    const last = await worker.indexAndGetLastEvent(await worker.upload(complete, { mimeType: PDF }));
    expect(last).toMatchObject({ pages: 1 });
    expect(last).not.toHaveProperty('undecodedPages');
  });

  it('if no text of a document could be decoded, the worker fails the document with a message that states this reason', async () => {
    const job = await worker.upload(makeUnmappedPdf('', 'Unreadable'), { mimeType: PDF, name: 'a.pdf' });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({
      code: 'no_text_found',
      message: expect.stringContaining(
        'No text was found in a.pdf. 1 of 1 page has text that could not be decoded.',
      ) as unknown,
    });
  });

  it('if a run has several documents, the worker emits only the final event of each document', async () => {
    const page = { partOfRun: true, documentKey: 'https://acme.example/a', source: 'https://acme.example/a' };
    const good = await worker.index(await worker.upload(TEXT, page));
    expect(good.map(({ name }) => name)).toEqual(['document-settled']);
    expect(good[0]?.payload).toMatchObject({ documentKey: page.documentKey, outcome: 'indexed', fragments: 1 });
    const bad = await worker.index(await worker.upload('', page));
    expect(bad.map(({ payload }) => payload)).toMatchObject([{ outcome: 'failed', code: 'file_empty' }]);
  });

  it('the worker stores the same web page separately for each of two datasources', async () => {
    const key = { documentKey: 'https://acme.example/a' };
    const ofPage = await worker.upload('The warranty of the page.', key);
    const ofSite = await worker.upload('The warranty of the site.', { ...key, datasourceId: 'site', partOfRun: true });
    for (const job of [ofPage, ofSite]) await worker.index(job);
    expect((await worker.search('warranty', ofPage)).map(({ datasourceId }) => datasourceId).sort()).toEqual([
      'datasource',
      'site',
    ]);
    await removeDocument(worker, ofSite);
    await expect(worker.search('warranty', ofPage)).resolves.toMatchObject([{ datasourceId: 'datasource' }]);
  });
});
