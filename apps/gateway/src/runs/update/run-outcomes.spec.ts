import { NO_COUNTERS, type DatasourceResponse, type ReasonCode, type StatusChanged } from '@quarry/contracts';
import { silentLog } from '@quarry/queue/testing';
import { describe, expect, it } from 'vitest';
import { createSite, uploadText } from '../../testing/create-resources.js';
import { setUpTenant } from '../../testing/set-up-tenant.js';
import { handleStatusesChanged } from './run-events.js';

const AT = '2026-06-01T12:00:00.000Z';
const ONE = { ...NO_COUNTERS, discovered: 1, fetched: 1 };
const used = setUpTenant();

type Ended = Pick<StatusChanged, 'status'> & Partial<Omit<StatusChanged, 'status'>>;

async function getDatasource(datasourceId: string): Promise<DatasourceResponse> {
  return (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse; // as documented
}

/** Handles an event that ends the latest run of a datasource, and returns the changed datasource. */
async function endRun(datasourceId: string, ended: Ended): Promise<DatasourceResponse> {
  const runId = (await getDatasource(datasourceId)).run?.id ?? '';
  const change = { datasourceId, runId, sequence: 9_999, at: AT, ...ended };
  await handleStatusesChanged(used.test.gateway, [change], { log: silentLog });
  return getDatasource(datasourceId);
}

const uploadFile = async (): Promise<string> => uploadText(used.tenant.api, used.datastore);
const createError = (code: ReasonCode) => ({ code, message: 'No.' });

describe('the end of a run of one document', () => {
  it.each([
    ['indexed', 'error', 'synched'],
    ['unchanged', 'error', 'synched'],
    ['skipped', 'error', 'synched'],
    ['failed', 'synched', 'error'],
  ] as const)(
    'the outcome %s of a document determines the counters and the status of its run, even if the event contains the status %s',
    async (...row) => {
      const [outcome, status, decided] = row;
      const shown = await endRun(await uploadFile(), { outcome, status, counters: NO_COUNTERS });
      expect(shown).toMatchObject({ status: decided, run: { counters: { ...ONE, [outcome]: 1 } } });
    },
  );

  it('a file whose document failed shows the reason of the failure', async () => {
    const failed = { outcome: 'failed', status: 'error', ...createError('file_empty') } as const;
    expect(await endRun(await uploadFile(), failed)).toMatchObject({
      status: 'error',
      error: createError('file_empty'),
    });
  });

  it('a file whose document exceeded the token limit gets the status `usage_limit_reached`', async () => {
    const blocked = { outcome: 'failed', status: 'error', ...createError('usage_limit_reached') } as const;
    expect(await endRun(await uploadFile(), blocked)).toMatchObject({
      status: 'usage_limit_reached',
      error: createError('usage_limit_reached'),
      run: { counters: { ...ONE, failed: 1 } },
    });
  });
});

describe('the end of a run whose source could not be read', () => {
  it('a site that could not be read gets the status `error` and shows the reason', async () => {
    const site = await createSite(used.tenant.api, used.datastore);
    const failed = { outcome: 'read_failed', status: 'synched', ...createError('sitemap_unreadable') } as const;
    expect(await endRun(site, failed)).toMatchObject({ status: 'error', error: createError('sitemap_unreadable') });
  });
});

describe('the end of a run that a worker of an earlier version reports without an outcome', () => {
  it.each([
    { status: 'synched', counters: { ...ONE, indexed: 1 } },
    { status: 'synched', counters: { ...ONE, unchanged: 1 } },
    { status: 'error', counters: { ...ONE, failed: 1 }, ...createError('file_empty') },
    { status: 'usage_limit_reached', counters: { ...ONE, failed: 1 }, ...createError('usage_limit_reached') },
  ] as const)(
    'if a worker of an earlier version reports the end of a run without an outcome, the gateway stores the status and the counters of the event %j',
    async (ended) => {
      const { status, counters } = ended;
      const error = 'code' in ended ? createError(ended.code) : null;
      expect(await endRun(await uploadFile(), ended)).toMatchObject({ status, error, run: { counters } });
    },
  );

  it('a site that a worker of an earlier version could not read gets the status `error` and shows the reason', async () => {
    const site = await createSite(used.tenant.api, used.datastore);
    const failed = { status: 'error', ...createError('robots_unreachable') } as const;
    expect(await endRun(site, failed)).toMatchObject({ status: 'error', error: createError('robots_unreachable') });
  });
});
