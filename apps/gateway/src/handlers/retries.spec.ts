import {
  datasourceStatusQueue,
  type DatasourceResponse,
  type DatasourceStatusJobs,
  type Page,
  type RunResponse,
} from '@quarry/contracts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import { openRunGateway } from '../runs/open-run-gateway.js';
import { makeSite, uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';

const AT = '2026-06-01T12:00:00.000Z';
const ERROR = {
  code: 'embedder_unavailable',
  message: 'The embedder did not answer.',
  attempt: 1,
  nextAttemptAt: '2026-06-01T12:00:02.500Z',
};

const used = useTenant();
let datasourceId: string;
let runId: string;
beforeAll(() => {
  startConsumers(used.test.gateway);
});

async function select(id: string): Promise<void> {
  datasourceId = id;
  runId = (await shown()).run?.id ?? '';
}

async function shown(): Promise<DatasourceResponse> {
  return (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse;
}

async function listed(): Promise<readonly RunResponse[]> {
  const response = await used.tenant.api.get(`/api/datasources/${datasourceId}/runs`);
  return (response.body as Page<RunResponse>).items;
}

async function lastError(): Promise<unknown> {
  const { run } = await shown();
  expect((await listed())[0]?.lastError).toEqual(run?.lastError);
  return run?.lastError;
}

async function emit<Name extends keyof DatasourceStatusJobs>(
  name: Name,
  more: Omit<DatasourceStatusJobs[Name], 'datasourceId' | 'runId' | 'at'>,
): Promise<void> {
  const payload = { datasourceId, runId, at: AT, ...more } as DatasourceStatusJobs[Name]; // the omitted fields are added here
  await used.test.queues.producer(datasourceStatusQueue).add(name, payload);
  await used.test.queues.drain();
}

describe('a file whose job is retried', () => {
  beforeEach(async () => select(await uploadText(used.tenant.api, used.datastore)));

  it('shows the error until there is progress, also during the next attempt', async () => {
    expect(await lastError()).toBeNull();
    await emit('run-retrying', { sequence: 19_999, lastError: ERROR });
    expect(await shown()).toMatchObject({ status: 'running', run: { lastError: { ...ERROR, documentKey: null } } });
    await emit('status-changed', { sequence: 20_001, status: 'running' });
    expect(await lastError()).toMatchObject(ERROR);
    await emit('run-progressed', { sequence: 20_002, stage: 'embedding' });
    expect(await lastError()).toBeNull();
    // An event of an earlier start arrives late.
    await emit('run-retrying', { sequence: 10_999, lastError: ERROR });
    expect(await lastError()).toBeNull();
  });

  it.each(['settles', 'is superseded'])('clears the error when the run %s', async (how) => {
    await emit('run-retrying', { sequence: 19_999, lastError: ERROR });
    if (how === 'settles') await emit('status-changed', { sequence: 29_999, status: 'error', code: 'internal_error' });
    else expect(await uploadText(used.tenant.api, used.datastore, 'another text')).toBe(datasourceId);
    expect((await listed()).map(({ lastError: shownError }) => shownError)).toEqual(
      how === 'settles' ? [null] : [null, null],
    );
  });
});

describe('a site whose jobs are retried', () => {
  const document = (documentKey: string) => ({
    documentKey,
    name: documentKey,
    blobKey: documentKey,
    mimeType: 'text/html',
  });
  const record = async (...keys: readonly string[]) =>
    openRunGateway(used.test.gateway).recordDocuments({
      ...{ datasourceId, runId, at: AT, toIndex: keys.map(document), settled: [] },
    });
  beforeEach(async () => {
    await select(await makeSite(used.tenant.api, used.datastore));
    await record('a', 'b');
  });

  it('shows the error of a document until one is indexed, whatever the crawl does', async () => {
    await emit('document-retrying', { documentKey: 'a', lastError: ERROR });
    expect(await lastError()).toEqual({ ...ERROR, documentKey: 'a' });
    await emit('run-progressed', { sequence: 1, stage: 'fetching' });
    await record('c');
    expect(await lastError()).toMatchObject({ documentKey: 'a' });
    await emit('document-settled', { documentKey: 'b', outcome: 'failed', code: 'file_unreadable' });
    expect(await lastError()).toMatchObject({ documentKey: 'a' });
    await emit('document-settled', { documentKey: 'c', outcome: 'indexed' });
    expect(await lastError()).toBeNull();
  });

  it('clears the error of a document that has failed, and ignores an event after its end', async () => {
    await emit('document-retrying', { documentKey: 'a', lastError: ERROR });
    await emit('document-settled', { documentKey: 'a', outcome: 'failed', code: 'embedder_unavailable' });
    expect(await lastError()).toBeNull();
    await emit('document-retrying', { documentKey: 'a', lastError: { ...ERROR, attempt: 4 } });
    expect(await lastError()).toBeNull();
  });

  it('shows the error of the crawl while pages are indexed, until the crawl finds another page', async () => {
    const rateLimited = { ...ERROR, code: 'rate_limited' };
    await emit('run-retrying', { sequence: 19_999, lastError: rateLimited });
    await emit('document-settled', { documentKey: 'a', outcome: 'indexed' });
    expect(await lastError()).toEqual({ ...rateLimited, documentKey: null });
    await record();
    expect(await lastError()).toMatchObject(rateLimited);
    await record('c');
    expect(await lastError()).toBeNull();
  });

  it('adds a note on truncated fragments at its end', async () => {
    await emit('document-settled', { documentKey: 'a', outcome: 'indexed', truncatedFragments: 2 });
    await emit('document-settled', { documentKey: 'b', outcome: 'indexed' });
    expect((await shown()).run?.note).toBeNull();
    await emit('run-enumerated', { complete: true, note: 'The site stopped answering.' });
    expect((await shown()).run?.note).toMatch(
      /^The site stopped answering\. 2 fragments of 1 document are longer than the embedding model accepts/,
    );
  });
});

it('adds a note on the truncated fragments of a file', async () => {
  await select(await uploadText(used.tenant.api, used.datastore));
  await emit('status-changed', { sequence: 19_999, status: 'synched', truncatedFragments: 1 });
  expect((await shown()).run?.note).toMatch(/^1 fragment of 1 document is longer than the embedding model accepts/);
});
