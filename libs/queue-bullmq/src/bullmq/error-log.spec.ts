import { describe, expect, it } from 'vitest';
import { silentLog } from '@quarry/queue/testing';
import { createRateLimitedErrorLogger } from './error-log.js';

describe('the logger of queue errors', () => {
  it('the logger of queue errors logs the same message at most once in 30 seconds, and a different message immediately', () => {
    const logged: object[] = [];
    let now = 0;
    const logError = createRateLimitedErrorLogger({ ...silentLog, warn: (fields) => logged.push(fields) }, () => now);
    const refused = new Error('refused');
    logError(refused);
    logError(new Error('refused'));
    logError(new Error('reset'));
    expect(logged).toHaveLength(2);
    now = 30_000;
    logError(refused);
    expect(logged).toHaveLength(3);
  });
});
