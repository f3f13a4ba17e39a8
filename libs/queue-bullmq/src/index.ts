export { openQueues, type QueueSettings } from './open-queues.js';
