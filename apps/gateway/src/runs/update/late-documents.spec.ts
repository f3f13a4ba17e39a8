import type { DatasourceResponse, DocumentOutcome, DocumentResponse } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { datasources } from '../../database/tables/datasources.js';
import { updateOrganization } from '../../organizations/organization-repository.js';
import { createSite, uploadText } from '../../testing/create-resources.js';
import { setUpTenant } from '../../testing/set-up-tenant.js';
import { claimTokens } from '../../usage/claim-tokens.js';
import { loadStoredTokens } from '../../usage/stored-content.js';
import { recordDocumentOutcome, recordRunEnumeration } from './record-outcomes.js';
import { recordUpdateWithLock } from './record-update-with-lock.js';
import { openRunGateway } from '../record/open-run-gateway.js';

const AT = '2026-06-01T12:00:00.000Z';

const used = setUpTenant();
let datasourceId: string;
const getDatabase = () => used.test.gateway.db;

const getDatasource = async (): Promise<DatasourceResponse> =>
  (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse;
const getRunId = async (): Promise<string> => (await getDatasource()).run?.id ?? '';
const listDocuments = async (): Promise<readonly DocumentResponse[]> => {
  const response = await used.tenant.api.get(`/api/datasources/${datasourceId}/documents`);
  return (response.body as { items: readonly DocumentResponse[] }).items; // as documented
};
const loadStoredTotals = async () => {
  const [row] = await getDatabase().select().from(datasources).where(eq(datasources.id, datasourceId));
  return { fragments: row?.fragments, storedTokens: row?.storedTokens };
};
const cancelRun = async (): Promise<void> => {
  await used.tenant.api.post(`/api/datasources/${datasourceId}/cancel`);
};
const startSync = async (): Promise<string> => {
  await used.tenant.api.post(`/api/datasources/${datasourceId}/sync`);
  return getRunId();
};
const findIndexedVersion = async (documentKey: string): Promise<string | null | undefined> =>
  (await openRunGateway(used.test.gateway).readIndexedVersions({ datasourceId, documentKeys: [documentKey] }))[0];

const recordFoundDocument = async (runId: string, documentKey: string, version: string): Promise<void> => {
  const document = { documentKey, name: documentKey, blobKey: `pages/${documentKey}`, mimeType: 'text/html', version };
  const found = { datasourceId, runId, at: AT, toIndex: [document], settled: [] };
  await openRunGateway(used.test.gateway).recordDocuments(found);
};
const settleDocument = async (runId: string, documentKey: string, outcome: DocumentOutcome, more: object = {}) =>
  recordDocumentOutcome(getDatabase(), { datasourceId, runId, documentKey, outcome, at: AT, ...more }, new Date());

describe('a late document, which is indexed after its run has ended', () => {
  beforeEach(async () => {
    datasourceId = await createSite(used.tenant.api, used.datastore);
  });

  it('a document that is indexed after the end of its run is listed with its fragments and version, and the run stays unchanged', async () => {
    const { organizationId } = used.tenant;
    await updateOrganization(getDatabase(), organizationId, { limits: { storedTokens: 100 } }, new Date());
    const runId = await getRunId();
    await recordFoundDocument(runId, 'a', 'v1');
    await claimTokens(getDatabase(), { organizationId, datasourceId, documentKey: 'a', tokens: 60 });
    await cancelRun();
    expect(await loadStoredTokens(getDatabase(), organizationId)).toBe(0);
    const before = await getDatasource();
    expect(await settleDocument(runId, 'a', 'indexed', { fragments: 2, storedTokens: 60, version: 'v1' })).toBe(
      'not_allowed',
    );
    expect(await listDocuments()).toMatchObject([{ documentKey: 'a', outcome: 'indexed', fragments: 2 }]);
    expect(await loadStoredTotals()).toEqual({ fragments: 2, storedTokens: 60 });
    expect(await loadStoredTokens(getDatabase(), organizationId)).toBe(60);
    expect(await findIndexedVersion('a')).toBe('v1');
    const after = await getDatasource();
    expect([after.status, after.error, after.run]).toEqual([before.status, before.error, before.run]);
  });

  it('if a document is indexed after its run was superseded, and the newer run enumerates all documents without finding it, the document is removed when the newer run ends', async () => {
    const runId = await getRunId();
    await recordFoundDocument(runId, 'a', 'v1');
    const next = await startSync();
    await settleDocument(runId, 'a', 'indexed', { fragments: 2 });
    for (const key of ['b', 'c', 'd']) await settleDocument(next, key, 'indexed', { fragments: 1 });
    await recordRunEnumeration(getDatabase(), { datasourceId, runId: next, at: AT, complete: true }, new Date());
    expect((await listDocuments()).map(({ documentKey }) => documentKey)).toEqual(['b', 'c', 'd']);
    expect((await getDatasource()).run?.counters.removed).toBe(1);
  });

  it('if a newer run has indexed a document, a version that an older run indexes afterwards does not replace the newer version', async () => {
    const runId = await getRunId();
    const next = await startSync();
    await recordFoundDocument(next, 'a', 'v2');
    await settleDocument(next, 'a', 'indexed', { fragments: 5, version: 'v2' });
    await settleDocument(runId, 'a', 'indexed', { fragments: 2, version: 'v1' });
    expect(await listDocuments()).toMatchObject([{ documentKey: 'a', fragments: 5 }]);
    expect(await findIndexedVersion('a')).toBe('v2');
  });

  it('if a newer run fails to index a document, a version that an older run indexes afterwards becomes the indexed version of the document', async () => {
    const runId = await getRunId();
    const next = await startSync();
    await recordFoundDocument(next, 'a', 'v2');
    await settleDocument(runId, 'a', 'indexed', { fragments: 2, version: 'v1' });
    expect(await findIndexedVersion('a')).toBeNull();
    await settleDocument(next, 'a', 'failed', { code: 'file_unreadable', message: 'No.' });
    await settleDocument(runId, 'a', 'indexed', { fragments: 2, version: 'v1' });
    expect(await listDocuments()).toMatchObject([
      { documentKey: 'a', outcome: 'failed', code: 'file_unreadable', fragments: 2 },
    ]);
    expect(await findIndexedVersion('a')).toBe('v1');
  });

  it('if a document that failed with the code `run_lost` is indexed afterwards, its outcome becomes `indexed`', async () => {
    const runId = await getRunId();
    await recordFoundDocument(runId, 'b', 'v1');
    await settleDocument(runId, 'a', 'failed', { code: 'run_lost', message: 'The job was lost.' });
    expect(await settleDocument(runId, 'a', 'indexed', { fragments: 2 })).toBe('already_recorded');
    expect(await listDocuments()).toMatchObject([{ documentKey: 'a', outcome: 'indexed', code: null, fragments: 2 }]);
  });

  it.each(['failed', 'skipped'] as const)(
    'a document that settles with the outcome %s after the end of its run is not listed',
    async (outcome) => {
      const runId = await getRunId();
      await cancelRun();
      await settleDocument(runId, 'a', outcome);
      expect(await listDocuments()).toEqual([]);
    },
  );
});

describe('a file that is indexed after its run was cancelled', () => {
  it('if a file is indexed after its run was cancelled, its fragments and tokens are counted, and the run stays cancelled', async () => {
    datasourceId = await uploadText(used.tenant.api, used.datastore);
    const { organizationId } = used.tenant;
    await updateOrganization(getDatabase(), organizationId, { limits: { storedTokens: 100 } }, new Date());
    const runId = await getRunId();
    await cancelRun();
    const ending = { kind: 'document', outcome: 'indexed' } as const;
    const event = { type: 'ended', runId, sequence: 19_999, ending } as const;
    const report = { datasourceId, event, at: new Date(), fragments: 3, storedTokens: 50 };
    expect(await recordUpdateWithLock(getDatabase(), report, new Date())).toBe('not_allowed');
    expect(await loadStoredTotals()).toEqual({ fragments: 3, storedTokens: 50 });
    expect(await loadStoredTokens(getDatabase(), organizationId)).toBe(50);
    expect(await getDatasource()).toMatchObject({ status: 'error', error: { code: 'cancelled' } });
    await startSync();
    await recordUpdateWithLock(getDatabase(), { ...report, fragments: 9 }, new Date());
    expect(await loadStoredTotals()).toMatchObject({ fragments: 3 });
  });
});
