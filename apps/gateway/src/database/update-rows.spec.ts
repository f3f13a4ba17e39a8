import { eq, inArray, isNull } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { uploadText } from '../testing/create-resources.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { runs } from './tables/runs.js';
import { createRowUpdater } from './update-rows.js';

const used = setUpTenant();
const update = createRowUpdater(runs, ['message', 'progress', 'timeline', 'startedAt', 'sequence']);

it('createRowUpdater writes only the named columns of the given rows, and supports each type of column', async () => {
  const { db } = used.test.gateway;
  const names = ['a.txt', 'b.txt'];
  const ids = await Promise.all(names.map((name) => uploadText(used.tenant.api, used.datastore, name, name)));
  const [one, other] = await db.select().from(runs).where(inArray(runs.datasourceId, ids));
  if (one === undefined || other === undefined) throw new Error('expected a run of each file');
  const at = new Date('2026-06-01T12:00:00.123Z');
  const values = {
    sequence: 2_000_000_000,
    startedAt: at,
    timeline: [{ at: at.toISOString(), step: 'running' }],
  } as const;
  const changed = {
    ...{ ...one, ...values, message: `a "quoted" \\ 'text'\n東京`, progress: { done: 1, unit: 'pages' } },
  };
  await update(db, [
    { ...changed, status: 'error' },
    { ...other, startedAt: null, progress: null },
  ]);
  expect(await db.select().from(runs).where(eq(runs.id, one.id))).toEqual([changed]);
  expect(await db.select().from(runs).where(eq(runs.id, other.id))).toEqual([other]);
  const withoutProgress = await db.select({ id: runs.id }).from(runs).where(isNull(runs.progress));
  expect(withoutProgress.map(({ id }) => id)).toContain(other.id);
  await update(db, []);
});
