import { describe, expect, it } from 'vitest';
import { silentLog } from '@quarry/queue/testing';
import { errorLog } from './error-log.js';

describe('errorLog', () => {
  it('says the same thing once in half a minute, and another thing at once', () => {
    const said: object[] = [];
    let now = 0;
    const say = errorLog({ ...silentLog, warn: (fields) => said.push(fields) }, () => now);
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
