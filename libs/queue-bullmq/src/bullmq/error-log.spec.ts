import { describe, expect, it } from 'vitest';
import { silentLog } from '@quarry/queue/testing';
import { createErrorLogger } from './error-log.js';

describe('the logger of queue errors', () => {
  it('logs the same message at most once in 30 seconds, and another message at once', () => {
    const said: object[] = [];
    let now = 0;
    const say = createErrorLogger({ ...silentLog, warn: (fields) => said.push(fields) }, () => now);
    const refused = new Error('refused');
    say(refused);
    say(new Error('refused'));
    say(new Error('reset'));
    expect(said).toHaveLength(2);
    now = 30_000;
    say(refused);
    expect(said).toHaveLength(3);
  });
});
