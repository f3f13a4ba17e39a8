import { NO_COUNTERS, type DatasourceResponse, type ReasonCode, type StatusChanged } from '@quarry/contracts';
import { silentLog } from '@quarry/queue/testing';
import { describe, expect, it } from 'vitest';
import { makeSite, uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';
import { handleStatusesChanged } from './run-events.js';

const AT = '2026-06-01T12:00:00.000Z';
const ONE = { ...NO_COUNTERS, discovered: 1, fetched: 1 };
const used = useTenant();

type Ended = Pick<StatusChanged, 'status'> & Partial<Omit<StatusChanged, 'status'>>;

async function show(datasourceId: string): Promise<DatasourceResponse> {
  return (await used.tenant.api.get(`/api/datasources/${datasourceId}`)).body as DatasourceResponse; // as documented
}

/** Applies the final event of the latest run. */
async function end(datasourceId: string, ended: Ended): Promise<DatasourceResponse> {
  const runId = (await show(datasourceId)).run?.id ?? '';
  const change = { datasourceId, runId, sequence: 9_999, at: AT, ...ended };
  await handleStatusesChanged(used.test.gateway, [change], { log: silentLog });
  return show(datasourceId);
}

const makeFile = async (): Promise<string> => uploadText(used.tenant.api, used.datastore);
const errorOf = (code: ReasonCode) => ({ code, message: 'No.' });

describe('the end of a run of one document', () => {
  it.each([
    ['indexed', 'error', 'synched'],
    ['unchanged', 'error', 'synched'],
    ['skipped', 'error', 'synched'],
    ['failed', 'synched', 'error'],
  ] as const)('has its status and counters from the outcome %s, although the event says %s', async (...row) => {
    const [outcome, status, decided] = row;
    const shown = await end(await makeFile(), { outcome, status, counters: NO_COUNTERS });
    expect(shown).toMatchObject({ status: decided, run: { counters: { ...ONE, [outcome]: 1 } } });
  });

  it('has the reason of the document that failed', async () => {
    const failed = { outcome: 'failed', status: 'error', ...errorOf('file_empty') } as const;
    expect(await end(await makeFile(), failed)).toMatchObject({ status: 'error', error: errorOf('file_empty') });
  });

  it('is usage_limit_reached when the limit blocked the document', async () => {
    const blocked = { outcome: 'failed', status: 'error', ...errorOf('usage_limit_reached') } as const;
    expect(await end(await makeFile(), blocked)).toMatchObject({
      status: 'usage_limit_reached',
      error: errorOf('usage_limit_reached'),
      run: { counters: { ...ONE, failed: 1 } },
    });
  });
});

describe('the end of a run whose source could not be read', () => {
  it('is an error with its reason', async () => {
    const site = await makeSite(used.tenant.api, used.datastore);
    const failed = { outcome: 'read_failed', status: 'synched', ...errorOf('sitemap_unreadable') } as const;
    expect(await end(site, failed)).toMatchObject({ status: 'error', error: errorOf('sitemap_unreadable') });
  });
});

describe('the end of a run that an earlier worker reports without an outcome', () => {
  it.each([
    { status: 'synched', counters: { ...ONE, indexed: 1 } },
    { status: 'synched', counters: { ...ONE, unchanged: 1 } },
    { status: 'error', counters: { ...ONE, failed: 1 }, ...errorOf('file_empty') },
    { status: 'usage_limit_reached', counters: { ...ONE, failed: 1 }, ...errorOf('usage_limit_reached') },
  ] as const)('has the status and the counters of the event: %j', async (ended) => {
    const { status, counters } = ended;
    const error = 'code' in ended ? errorOf(ended.code) : null;
    expect(await end(await makeFile(), ended)).toMatchObject({ status, error, run: { counters } });
  });

  it('is an error when the event reports that a site could not be read', async () => {
    const site = await makeSite(used.tenant.api, used.datastore);
    const failed = { status: 'error', ...errorOf('robots_unreachable') } as const;
    expect(await end(site, failed)).toMatchObject({ status: 'error', error: errorOf('robots_unreachable') });
  });
});
