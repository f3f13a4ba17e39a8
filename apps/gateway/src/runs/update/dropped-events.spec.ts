import { datasourceStatusQueue } from '@quarry/contracts';
import { IsString } from '@quarry/validation';
import { expect, it } from 'vitest';
import { startConsumers } from '../../consumers.js';
import { setUpTenant } from '../../testing/set-up-tenant.js';

/** An event payload that the gateway cannot parse. */
class UnreadablePayload {
  @IsString()
  readonly sequence: string;
}

const used = setUpTenant();

it('the gateway logs a status event that it cannot parse', async () => {
  startConsumers(used.test.gateway);
  const contract = datasourceStatusQueue.jobs['status-changed'];
  const jobs = { 'status-changed': { ...contract, payload: UnreadablePayload, buildId: () => 'dropped-event' } };
  await used.test.queues.createProducer({ ...datasourceStatusQueue, jobs }).add('status-changed', { sequence: 'one' });
  await used.test.queues.runAllJobs();
  const line = used.test.logged.find((entry) =>
    entry.includes('a status event of a worker cannot be recorded and is dropped'),
  );
  expect(line).toMatch(/"reason":\{"code":"payload_unreadable"/);
});

it('an event that can end a run is retried for more than a month, for example while the database is unavailable', () => {
  for (const name of ['status-changed', 'statuses-changed', 'document-settled', 'run-enumerated'] as const) {
    const { attempts, backoff } = datasourceStatusQueue.jobs[name];
    const shortestMs = attempts * backoff.maxDelayMs * (1 - backoff.jitter);
    expect(shortestMs).toBeGreaterThan(31 * 24 * 3_600_000);
  }
});
