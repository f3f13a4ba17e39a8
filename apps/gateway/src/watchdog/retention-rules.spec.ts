import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { outbox } from '../database/tables/outbox.js';
import { usageMonths } from '../database/tables/usage-months.js';
import { usageStripes } from '../database/tables/usage-stripes.js';
import { setUpTenant } from '../testing/set-up-tenant.js';
import { RETENTION_RULES } from './retention-rules.js';
import { runWatchdog } from './watchdog.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const used = setUpTenant({ clock: () => NOW });

it('each table of the database has a retention rule', async () => {
  const { rows } = await used.test.gateway.db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'quarry'`,
  );
  expect(Object.keys(RETENTION_RULES).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

it('each table whose retention rule is `deletedWith` has a cascading foreign key to the table in the rule', async () => {
  const { rows } = await used.test.gateway.db.execute<{ child: string; parent: string }>(sql`
    select child.relname as child, parent.relname as parent from pg_constraint con
    join pg_class child on child.oid = con.conrelid join pg_class parent on parent.oid = con.confrelid
    where con.contype = 'f' and con.confdeltype = 'c' and con.connamespace = 'quarry'::regnamespace`);
  const cascades = new Set(rows.map(({ child, parent }) => `${child} of ${parent}`));
  const required = Object.entries(RETENTION_RULES).flatMap(([table, rule]) =>
    'deletedWith' in rule ? [`${table} of ${rule.deletedWith}`] : [],
  );
  expect(required.filter((one) => !cascades.has(one))).toEqual([]);
});

it('the watchdog removes the usage of months older than two years', async () => {
  const { db } = used.test.gateway;
  const { organizationId } = used.tenant;
  const months = ['2024-10', '2024-11', '2026-11'];
  await db.insert(usageMonths).values(months.map((month) => ({ organizationId, month })));
  await db.insert(usageStripes).values(months.map((month) => ({ organizationId, month, stripe: 0 })));
  await runWatchdog(used.test.gateway);
  for (const table of [usageMonths, usageStripes]) {
    const rows = await db.select({ month: table.month }).from(table).where(eq(table.organizationId, organizationId));
    expect(rows.map(({ month }) => month).toSorted()).toEqual(['2024-11', '2026-11']);
  }
});

it('30 days after a job was written to the outbox, the watchdog removes it if its queue has refused it, but not if it still waits', async () => {
  const { db } = used.test.gateway;
  const { organizationId } = used.tenant;
  const job = { organizationId, queue: 'ingestion', payload: {} };
  const [old, recent] = [new Date('2026-10-20T00:00:00Z'), new Date('2026-10-23T00:00:00Z')];
  await db.insert(outbox).values([
    { ...job, name: 'old', refusal: 'refused', createdAt: old },
    { ...job, name: 'recent', refusal: 'refused', createdAt: recent },
    { ...job, name: 'waiting', createdAt: old },
  ]);
  await runWatchdog(used.test.gateway);
  const rows = await db.select({ name: outbox.name }).from(outbox).where(eq(outbox.organizationId, organizationId));
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['recent', 'waiting']);
});
