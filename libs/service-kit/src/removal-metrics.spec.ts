import { expect, it } from 'vitest';
import { createMetrics } from './metrics.js';
import { registerRemovalMetrics, type MeasuredRemovals } from './removal-metrics.js';

const WAITING = 'quarry_removals_waiting{service="test"}';
const OLDEST = 'quarry_removals_oldest_seconds{service="test"}';

it('each request for the metrics of removals returns the number and the age of the same read', async () => {
  const metrics = createMetrics('test', { process: false });
  const minute: MeasuredRemovals = { waiting: 3, oldestAt: new Date(Date.now() - 60_000) };
  const results: MeasuredRemovals[] = [minute, { waiting: 0, oldestAt: undefined }];
  registerRemovalMetrics(metrics, async () => Promise.resolve(results.shift() ?? minute));
  const first = await metrics.registry.metrics();
  expect(first).toContain(`${WAITING} 3`);
  expect(first).toContain(`${OLDEST} 60`);
  const second = await metrics.registry.metrics();
  expect(second).toContain(`${WAITING} 0`);
  expect(second).toContain(`${OLDEST} 0`);
  expect(results).toEqual([]);
});

it('the metrics of removals have no value while the database fails or does not respond', async () => {
  const metrics = createMetrics('test', { process: false });
  const never = new Promise<never>(() => undefined);
  const reads = [
    async () => Promise.resolve({ waiting: 1, oldestAt: new Date() }),
    async () => Promise.reject(new Error('away')),
  ];
  registerRemovalMetrics(metrics, async () => reads.shift()?.() ?? never);
  expect(await metrics.registry.metrics()).toContain(WAITING);
  const failed = await metrics.registry.metrics();
  const hanging = await metrics.registry.metrics();
  for (const text of [failed, hanging]) {
    expect(text).not.toContain(WAITING);
    expect(text).not.toContain(OLDEST);
  }
});
