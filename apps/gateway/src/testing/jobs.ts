import { ingestionQueue } from '@quarry/contracts';
import type { AddedJob } from '@quarry/queue/testing';
import type { IngestionJobs } from '@quarry/contracts';
import { openPublishers, publishBatch } from '../outbox/publish-batch.js';
import type { TestGateway } from './start-test-gateway.js';

/** Publishes all jobs of the outbox to the queues, as the relay does. */
export async function publishOutbox({ gateway, queues }: TestGateway): Promise<void> {
  const relaying = { db: gateway.db, log: gateway.log, publishers: openPublishers(queues) };
  while ((await publishBatch(relaying)) > 0);
}

/** Publishes the outbox first. @returns all ingestion jobs that were ever enqueued for an organization */
export async function listIngestionJobs(
  test: TestGateway,
  organizationId: string,
): Promise<readonly AddedJob<IngestionJobs>[]> {
  await publishOutbox(test);
  return test.queues.added(ingestionQueue).filter(({ payload }) => payload.organizationId === organizationId);
}
