import { ingestionQueue } from '@quarry/contracts';
import type { AddedJob } from '@quarry/queue/testing';
import type { IngestionJobs } from '@quarry/contracts';
import { listDispatchedQueues } from '../outbox/dispatched-queues.js';
import { openDispatcher } from '../outbox/dispatcher.js';
import type { TestGateway } from './start-test-gateway.js';

const MAX_JOBS = 10_000;

/**
 * Publishes all jobs of the outbox to the queues, in the order in which the dispatcher publishes them if the queues
 * have no limit.
 */
export async function publishOutboxJobs({ gateway, queues }: TestGateway): Promise<void> {
  const unlimited = listDispatchedQueues(queues).map((queue) => ({ ...queue, waitsForExternalServers: false }));
  const dispatcher = openDispatcher(gateway, unlimited, MAX_JOBS);
  while ((await dispatcher.dispatch()).published > 0);
}

/** Publishes the jobs of the outbox. @returns all ingestion jobs that were ever enqueued for an organization */
export async function publishAndListIngestionJobs(
  test: TestGateway,
  organizationId: string,
): Promise<readonly AddedJob<IngestionJobs>[]> {
  await publishOutboxJobs(test);
  return test.queues.listAddedJobs(ingestionQueue).filter(({ payload }) => payload.organizationId === organizationId);
}
