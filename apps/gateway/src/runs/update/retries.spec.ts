import {
  datasourceStatusQueue,
  type DatasourceResponse,
  type DatasourceStatusJobs,
  type Page,
  type RunResponse,
} from '@quarry/contracts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../../consumers.js';
import { openRunGateway } from '../record/open-run-gateway.js';
import { createSite, uploadText } from '../../testing/create-resources.js';
import { setUpTenant } from '../../testing/set-up-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';
const ERROR = {
  code: 'embedder_unavailable',
  message: 'The embedder did not answer.',
  attempt: 1,
  nextAttemptAt: '2026-06-01T12:00:02.500Z',
};

const used = setUpTenant();
let datasourceId: string;
let runId: string;
beforeAll(() => {
  startConsumers(used.test.gateway);
});

async function selectDatasource(id: string): Promise<void> {
  datasourceId = id;
  runId = (await getDatasource()).run?.id ?? '';
}

async function getDatasource(): Promise<DatasourceResponse> {
  return (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse;
}

async function listRuns(): Promise<readonly RunResponse[]> {
  const response = await used.tenant.api.get(`/api/datasources/${datasourceId}/runs`);
  return (response.body as Page<RunResponse>).items;
}

async function getLastError(): Promise<unknown> {
  const { run } = await getDatasource();
  expect((await listRuns())[0]?.lastError).toEqual(run?.lastError);
  return run?.lastError;
}

async function emitEvent<Name extends keyof DatasourceStatusJobs>(
  name: Name,
  more: Omit<DatasourceStatusJobs[Name], 'datasourceId' | 'runId' | 'at'>,
): Promise<void> {
  const payload = { datasourceId, runId, at: AT, ...more } as DatasourceStatusJobs[Name]; // `more` has the fields that are not listed here
  await used.test.queues.createProducer(datasourceStatusQueue).add(name, payload);
  await used.test.queues.runAllJobs();
}

describe('a file whose job is retried', () => {
  beforeEach(async () => selectDatasource(await uploadText(used.tenant.api, used.datastore)));

  it('a file whose job is retried shows the error during the next attempt, until the attempt makes progress', async () => {
    expect(await getLastError()).toBeNull();
    await emitEvent('run-retrying', { sequence: 19_999, lastError: ERROR });
    expect(await getDatasource()).toMatchObject({
      status: 'running',
      run: { lastError: { ...ERROR, documentKey: null } },
    });
    await emitEvent('status-changed', { sequence: 20_001, status: 'running' });
    expect(await getLastError()).toMatchObject(ERROR);
    await emitEvent('run-progressed', { sequence: 20_002, stage: 'embedding' });
    expect(await getLastError()).toBeNull();
    // The retry event of an earlier attempt arrives late.
    await emitEvent('run-retrying', { sequence: 10_999, lastError: ERROR });
    expect(await getLastError()).toBeNull();
  });

  it.each(['settles', 'is superseded'])(
    'the run of a file no longer shows the error of its retried job when the run %s',
    async (how) => {
      await emitEvent('run-retrying', { sequence: 19_999, lastError: ERROR });
      if (how === 'settles')
        await emitEvent('status-changed', { sequence: 29_999, status: 'error', code: 'internal_error' });
      else expect(await uploadText(used.tenant.api, used.datastore, 'another text')).toBe(datasourceId);
      expect((await listRuns()).map(({ lastError: shownError }) => shownError)).toEqual(
        how === 'settles' ? [null] : [null, null],
      );
    },
  );
});

describe('a site whose jobs are retried', () => {
  const buildDocument = (documentKey: string) => ({
    documentKey,
    name: documentKey,
    blobKey: documentKey,
    mimeType: 'text/html',
  });
  const recordDocuments = async (...keys: readonly string[]) =>
    openRunGateway(used.test.gateway).recordDocuments({
      ...{ datasourceId, runId, at: AT, toIndex: keys.map(buildDocument), settled: [] },
    });
  beforeEach(async () => {
    await selectDatasource(await createSite(used.tenant.api, used.datastore));
    await recordDocuments('a', 'b');
  });

  it('a site shows the error of a retried document until any document is indexed, even if the crawl finds more pages', async () => {
    await emitEvent('document-retrying', { documentKey: 'a', lastError: ERROR });
    expect(await getLastError()).toEqual({ ...ERROR, documentKey: 'a' });
    await emitEvent('run-progressed', { sequence: 1, stage: 'fetching' });
    await recordDocuments('c');
    expect(await getLastError()).toMatchObject({ documentKey: 'a' });
    await emitEvent('document-settled', { documentKey: 'b', outcome: 'failed', code: 'file_unreadable' });
    expect(await getLastError()).toMatchObject({ documentKey: 'a' });
    await emitEvent('document-settled', { documentKey: 'c', outcome: 'indexed' });
    expect(await getLastError()).toBeNull();
  });

  it('a site no longer shows the error of a retried document that has failed, and ignores later retry events of that document', async () => {
    await emitEvent('document-retrying', { documentKey: 'a', lastError: ERROR });
    await emitEvent('document-settled', { documentKey: 'a', outcome: 'failed', code: 'embedder_unavailable' });
    expect(await getLastError()).toBeNull();
    await emitEvent('document-retrying', { documentKey: 'a', lastError: { ...ERROR, attempt: 4 } });
    expect(await getLastError()).toBeNull();
  });

  it('a site shows the error of a retried crawl until the crawl finds another page, even if pages are indexed', async () => {
    const rateLimited = { ...ERROR, code: 'rate_limited' };
    await emitEvent('run-retrying', { sequence: 19_999, lastError: rateLimited });
    await emitEvent('document-settled', { documentKey: 'a', outcome: 'indexed' });
    expect(await getLastError()).toEqual({ ...rateLimited, documentKey: null });
    await recordDocuments();
    expect(await getLastError()).toMatchObject(rateLimited);
    await recordDocuments('c');
    expect(await getLastError()).toBeNull();
  });

  it('the run of a site gets a note on each document with text that could not be decoded', async () => {
    const settled = { outcome: 'indexed', name: 'Manual', undecodedPages: 1, pages: 1 } as const;
    await emitEvent('document-settled', { ...settled, documentKey: 'a' });
    await emitEvent('document-settled', { ...settled, documentKey: 'a' });
    await emitEvent('run-enumerated', { complete: true, note: 'The site stopped answering.' });
    expect((await getDatasource()).run?.note).toBe(
      'Manual: 1 of 1 page has text that could not be decoded. The site stopped answering.',
    );
  });

  it('when the run of a site ends, the run gets a note on truncated fragments', async () => {
    await emitEvent('document-settled', { documentKey: 'a', outcome: 'indexed', truncatedFragments: 2 });
    await emitEvent('document-settled', { documentKey: 'b', outcome: 'indexed' });
    expect((await getDatasource()).run?.note).toBeNull();
    await emitEvent('run-enumerated', { complete: true, note: 'The site stopped answering.' });
    expect((await getDatasource()).run?.note).toMatch(
      /^The site stopped answering\. 2 fragments of 1 document are longer than the embedding model accepts/,
    );
  });
});

it('the run of a file gets a note on pages with text that could not be decoded', async () => {
  await selectDatasource(await uploadText(used.tenant.api, used.datastore));
  await emitEvent('status-changed', { sequence: 19_999, status: 'synched', undecodedPages: 3, pages: 20 });
  expect((await getDatasource()).run?.note).toBe('3 of 20 pages have text that could not be decoded.');
});

it('when the run of a file ends, the run gets a note on truncated fragments', async () => {
  await selectDatasource(await uploadText(used.tenant.api, used.datastore));
  await emitEvent('status-changed', { sequence: 19_999, status: 'synched', truncatedFragments: 1 });
  expect((await getDatasource()).run?.note).toMatch(
    /^1 fragment of 1 document is longer than the embedding model accepts/,
  );
});
