export { describeQueues } from './describe-queues.js';
export { consumeAndHang, consumeUntilAborted } from './conformance/consumer-programs.js';
export type { ConsumerProgram, QueueServerUnderTest } from './conformance/queue-server-under-test.js';
export { createRecorder, type Recorder } from './conformance/recorder.js';
export { createSampleQueue, type NoteJobs } from './conformance/sample-queue.js';
export { waitUntilCheckPasses, TAKEOVER_MS, openTestQueue } from './conformance/test-queue.js';
export { createInMemoryQueues, type AddedJob, type InMemoryQueues } from './in-memory-queues.js';
export { createMemoryPacing } from './memory-pacing.js';
export { silentLog } from './silent-log.js';
