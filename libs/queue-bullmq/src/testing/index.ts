export { findFreePort } from './free-port.js';
export { hasRedis, startTestRedis, type TestRedis } from './start-test-redis.js';
