import { datasourceStatusQueue, type StatusChanged } from '@quarry/contracts';
import { inMemoryQueues } from '@quarry/queue-bullmq/testing';
import { ValidationError } from '@quarry/validation';
import { expect, it } from 'vitest';
import { openStatuses } from './statuses.js';

const AT = '2026-06-01T12:00:00.000Z';

function changeOf(runId: string, more: Partial<StatusChanged> = {}): StatusChanged {
  return { datasourceId: `datasource-${runId}`, runId, sequence: 1, at: AT, status: 'synched', ...more };
}

function setUp() {
  const queues = inMemoryQueues();
  const statuses = openStatuses(queues.producer(datasourceStatusQueue));
  return {
    tell: async (...changes: readonly StatusChanged[]) =>
      Promise.allSettled(changes.map(async (change) => statuses.changed(change))),
    jobs: () => queues.added(datasourceStatusQueue).map(({ name, payload }) => ({ name, payload })),
  };
}

it('tells what changes at the same time in one job, in its order', async () => {
  const { tell, jobs } = setUp();
  const changes = [changeOf('a', { status: 'running' }), changeOf('b'), changeOf('a', { sequence: 2 })];
  await tell(...changes);
  expect(jobs()).toEqual([{ name: 'statuses-changed', payload: { changes } }]);
});

it('tells a single one as such, as each version of the gateway knows it', async () => {
  const { tell, jobs } = setUp();
  await tell(changeOf('a'));
  await tell(changeOf('b'));
  expect(jobs()).toEqual(['a', 'b'].map((runId) => ({ name: 'status-changed', payload: changeOf(runId) })));
});

it('refuses one that is not what the contract says, and tells those beside it', async () => {
  const { tell, jobs } = setUp();
  const results = await tell(changeOf('a'), changeOf('bad', { sequence: 0 }), changeOf('c'));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: expect.any(ValidationError) as unknown });
  expect(jobs()).toEqual([{ name: 'statuses-changed', payload: { changes: [changeOf('a'), changeOf('c')] } }]);
});

it('tells one again that was told in other company before', async () => {
  const { tell, jobs } = setUp();
  await tell(changeOf('a'), changeOf('b'));
  await tell(changeOf('a'), changeOf('c'));
  await tell(changeOf('a'), changeOf('b'));
  expect(jobs()).toHaveLength(2);
});
