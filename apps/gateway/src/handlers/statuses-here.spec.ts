import { datasourceStatusQueue, type DatasourceResponse, type StatusChanged } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { startConsumers } from '../consumers.js';
import type { Queries } from '../database/database.js';
import { uploadText } from '../testing/make.js';
import { useTenant } from '../testing/use-tenant.js';
import { statusesHere } from './statuses-here.js';

const used = useTenant();
let id: string;
/** A plain object, to make another one of it. */
let end: Omit<StatusChanged, never>;

beforeEach(async () => {
  id = await uploadText(used.tenant.api, used.datastore);
  const runId = (await shown()).run?.id ?? '';
  end = { datasourceId: id, runId, sequence: 2, at: '2026-06-01T12:00:00.000Z', status: 'synched', fragments: 3 };
});

const shown = async (): Promise<DatasourceResponse> =>
  (await used.tenant.api.get(`/api/datasources/${id}`)).body as DatasourceResponse;

const queued = () => used.test.queues.added(datasourceStatusQueue).filter(({ payload }) => payload.runId === end.runId);

describe('statuses that are told in the process of the gateway', () => {
  it('are written down when they are told, and never queued', async () => {
    await statusesHere(used.test.gateway).add('status-changed', end);
    expect(await shown()).toMatchObject({ status: 'synched', run: { endedAt: end.at } });
    expect(queued()).toEqual([]);
  });

  it('lose what no database can keep of their text', async () => {
    const failed = { ...end, status: 'error', code: 'file_unreadable', message: 'a\0b' } as const;
    await statusesHere(used.test.gateway).add('status-changed', failed);
    expect((await shown()).error).toEqual({ code: 'file_unreadable', message: 'a\uFFFDb' });
  });

  it('go through the queue when they cannot be written down', async () => {
    const away = { transaction: async () => Promise.reject(new Error('the database is away')) };
    const db = Object.setPrototypeOf(away, used.test.gateway.db) as Queries; // the database, but for its transactions
    await statusesHere({ ...used.test.gateway, db }).add('status-changed', end);
    expect((await shown()).status).toBe('pending');
    expect(queued()).toHaveLength(1);
    startConsumers(used.test.gateway);
    await used.test.queues.drain();
    expect((await shown()).status).toBe('synched');
  });

  it('are refused when they are not what their contract says', async () => {
    const wrong = statusesHere(used.test.gateway).add('status-changed', { ...end, sequence: 0 });
    await expect(wrong).rejects.toThrow('sequence');
  });
});
