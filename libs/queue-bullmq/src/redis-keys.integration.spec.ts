import { TryLater } from '@quarry/contracts';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { waitUntilCheckPasses, createRecorder, createSampleQueue, openTestQueue } from '@quarry/queue/testing';
import { hasRedis, startTestRedis } from './testing/start-test-redis.js';
import { openTestQueues } from './testing/open-test-queues.js';

const reason = hasRedis() ? '' : ' (skipped: no redis-server on PATH)';

it.skipIf(!hasRedis())(`an autoscaler finds the numbers of jobs under the documented Redis keys${reason}`, async () => {
  const server = await startTestRedis();
  const redis = new Redis(server.url);
  const queues = await openTestQueues(server.url);
  const release = Promise.withResolvers<undefined>();
  const recorded = createRecorder(async (call) => {
    if (call === 1) throw new TryLater(60_000, 'the test says so');
    await release.promise;
  });
  const queue = openTestQueue(queues, createSampleQueue('notes'));
  for (const key of ['a', 'b', 'c', 'd']) await queue.addNote(key);
  const consumer = queue.startConsumer(recorded);
  await waitUntilCheckPasses(async () => {
    const counts = { waiting: await redis.llen('quarry:notes:wait'), active: await redis.llen('quarry:notes:active') };
    expect({ ...counts, delayed: await redis.zcard('quarry:notes:delayed') }).toEqual({
      waiting: 2,
      active: 1,
      delayed: 1,
    });
  });
  release.resolve(undefined);
  await consumer.close(1_000);
  await queues.close(0);
  redis.disconnect();
  await server.stop();
});
