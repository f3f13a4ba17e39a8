import { expect, it } from 'vitest';
import { registerBacklogMetrics } from './backlog-metrics.js';
import { createMetrics } from './metrics.js';

it('the metrics of the backlog have values while the database responds, and none while it hangs', async () => {
  const metrics = createMetrics('test', { process: false });
  const backlog = { queue: 'crawl', class: 'interactive', jobs: 4, organizations: 2, oldestSeconds: 9 };
  const never = new Promise<never>(() => undefined);
  const results = [Promise.resolve([backlog])];
  registerBacklogMetrics(metrics, () => results.shift() ?? never);
  const text = await metrics.registry.metrics();
  const labels = '{queue="crawl",class="interactive",service="test"}';
  expect(text).toContain(`quarry_backlog_jobs${labels} 4`);
  expect(text).toContain(`quarry_backlog_organizations${labels} 2`);
  expect(text).toContain(`quarry_backlog_oldest_seconds${labels} 9`);
  expect(await metrics.registry.metrics()).not.toContain('queue="crawl"');
});
