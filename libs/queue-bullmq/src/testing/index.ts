export { describeQueues } from './describe-queues.js';
export type { QueueServerUnderTest } from './conformance/queue-server-under-test.js';
export { findFreePort } from './free-port.js';
export { inMemoryQueues, type AddedJob, type InMemoryQueues } from './in-memory-queues.js';
export { memoryPacing } from './memory-pacing.js';
export { silentLog } from './silent-log.js';
export { hasRedis, startTestRedis, type TestRedis } from './start-test-redis.js';
