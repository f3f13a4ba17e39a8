import type { DatasourceResponse, DocumentOutcome, DocumentResponse } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { datasources } from '../database/tables/datasources.js';
import { updateOrganization } from '../organizations/organization-repository.js';
import { makeSite, uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';
import { claimTokens, getStoredTokens } from '../usage/claim-tokens.js';
import { recordDocument, recordEnumeration } from './record-document.js';
import { recordEvent } from './record-events.js';
import { openRunGateway } from './open-run-gateway.js';

const AT = '2026-06-01T12:00:00.000Z';

const used = useTenant();
let datasourceId: string;
const db = () => used.test.gateway.db;

const getDatasource = async (): Promise<DatasourceResponse> =>
  (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse;
const runOf = async (): Promise<string> => (await getDatasource()).run?.id ?? '';
const listDocuments = async (): Promise<readonly DocumentResponse[]> => {
  const response = await used.tenant.api.get(`/api/datasources/${datasourceId}/documents`);
  return (response.body as { items: readonly DocumentResponse[] }).items; // as documented
};
const storedNumbers = async () => {
  const [row] = await db().select().from(datasources).where(eq(datasources.id, datasourceId));
  return { fragments: row?.fragments, storedTokens: row?.storedTokens };
};
const cancel = async (): Promise<void> => {
  await used.tenant.api.post(`/api/datasources/${datasourceId}/cancel`);
};
const sync = async (): Promise<string> => {
  await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
  return runOf();
};
const versionOf = async (documentKey: string): Promise<string | null | undefined> =>
  (await openRunGateway(used.test.gateway).indexedVersions({ datasourceId, documentKeys: [documentKey] }))[0];

const find = async (runId: string, documentKey: string, version: string): Promise<void> => {
  const document = { documentKey, name: documentKey, blobKey: `pages/${documentKey}`, mimeType: 'text/html', version };
  const found = { datasourceId, runId, at: AT, toIndex: [document], settled: [] };
  await openRunGateway(used.test.gateway).recordDocuments(found);
};
const settle = async (runId: string, documentKey: string, outcome: DocumentOutcome, more: object = {}) =>
  recordDocument(db(), { datasourceId, runId, documentKey, outcome, at: AT, ...more }, new Date());

describe('a document that is indexed after its run has ended', () => {
  beforeEach(async () => {
    datasourceId = await makeSite(used.tenant.api, used.datastore);
  });

  it('is listed with its tokens and its version, and does not change the run', async () => {
    const { organizationId } = used.tenant;
    await updateOrganization(db(), organizationId, { limits: { storedTokens: 100 } }, new Date());
    const runId = await runOf();
    await find(runId, 'a', 'v1');
    await claimTokens(db(), { organizationId, datasourceId, documentKey: 'a', tokens: 60 });
    await cancel();
    expect(await getStoredTokens(db(), organizationId)).toBe(0);
    const before = await getDatasource();
    expect(await settle(runId, 'a', 'indexed', { fragments: 2, storedTokens: 60, version: 'v1' })).toBe('not_allowed');
    expect(await listDocuments()).toMatchObject([{ documentKey: 'a', outcome: 'indexed', fragments: 2 }]);
    expect(await storedNumbers()).toEqual({ fragments: 2, storedTokens: 60 });
    expect(await getStoredTokens(db(), organizationId)).toBe(60);
    expect(await versionOf('a')).toBe('v1');
    const after = await getDatasource();
    expect([after.status, after.error, after.run]).toEqual([before.status, before.error, before.run]);
  });

  it('is removed by the next complete run that does not find it', async () => {
    const runId = await runOf();
    await find(runId, 'a', 'v1');
    const next = await sync();
    await settle(runId, 'a', 'indexed', { fragments: 2 });
    for (const key of ['b', 'c', 'd']) await settle(next, key, 'indexed', { fragments: 1 });
    await recordEnumeration(db(), { datasourceId, runId: next, at: AT, complete: true }, new Date());
    expect((await listDocuments()).map(({ documentKey }) => documentKey)).toEqual(['b', 'c', 'd']);
    expect((await getDatasource()).run?.counters.removed).toBe(1);
  });

  it('does not replace what a newer run has indexed', async () => {
    const runId = await runOf();
    const next = await sync();
    await find(next, 'a', 'v2');
    await settle(next, 'a', 'indexed', { fragments: 5, version: 'v2' });
    await settle(runId, 'a', 'indexed', { fragments: 2, version: 'v1' });
    expect(await listDocuments()).toMatchObject([{ documentKey: 'a', fragments: 5 }]);
    expect(await versionOf('a')).toBe('v2');
  });

  it('is listed when a newer run could not index it, with its version once no document is in progress', async () => {
    const runId = await runOf();
    const next = await sync();
    await find(next, 'a', 'v2');
    await settle(runId, 'a', 'indexed', { fragments: 2, version: 'v1' });
    expect(await versionOf('a')).toBeNull();
    await settle(next, 'a', 'failed', { code: 'file_unreadable', message: 'No.' });
    await settle(runId, 'a', 'indexed', { fragments: 2, version: 'v1' });
    expect(await listDocuments()).toMatchObject([
      { documentKey: 'a', outcome: 'failed', code: 'file_unreadable', fragments: 2 },
    ]);
    expect(await versionOf('a')).toBe('v1');
  });

  it('replaces the report that its job was lost', async () => {
    const runId = await runOf();
    await find(runId, 'b', 'v1');
    await settle(runId, 'a', 'failed', { code: 'run_lost', message: 'The job was lost.' });
    expect(await settle(runId, 'a', 'indexed', { fragments: 2 })).toBe('already_recorded');
    expect(await listDocuments()).toMatchObject([{ documentKey: 'a', outcome: 'indexed', code: null, fragments: 2 }]);
  });

  it.each(['failed', 'skipped'] as const)('is not listed when it was not indexed: %s', async (outcome) => {
    const runId = await runOf();
    await cancel();
    await settle(runId, 'a', outcome);
    expect(await listDocuments()).toEqual([]);
  });
});

describe('a file that is indexed after its run was cancelled', () => {
  it('has its fragments and tokens, and stays cancelled', async () => {
    datasourceId = await uploadText(used.tenant.api, used.datastore);
    const { organizationId } = used.tenant;
    await updateOrganization(db(), organizationId, { limits: { storedTokens: 100 } }, new Date());
    const runId = await runOf();
    await cancel();
    const ending = { kind: 'document', outcome: 'indexed' } as const;
    const event = { type: 'ended', runId, sequence: 19_999, ending } as const;
    const report = { datasourceId, event, at: new Date(), fragments: 3, storedTokens: 50 };
    expect(await recordEvent(db(), report, new Date())).toBe('not_allowed');
    expect(await storedNumbers()).toEqual({ fragments: 3, storedTokens: 50 });
    expect(await getStoredTokens(db(), organizationId)).toBe(50);
    expect(await getDatasource()).toMatchObject({ status: 'error', error: { code: 'cancelled' } });
    await sync();
    await recordEvent(db(), { ...report, fragments: 9 }, new Date());
    expect(await storedNumbers()).toMatchObject({ fragments: 3 });
  });
});
