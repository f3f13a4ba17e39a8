import { describe, expect, it } from 'vitest';
import { createBoundedRead } from './bounded-read.js';

describe('createBoundedRead', () => {
  it('a function of createBoundedRead reads the value again with each call if no read is in progress', async () => {
    let count = 0;
    const read = createBoundedRead(async () => Promise.resolve((count += 1)));
    expect([await read(), await read()]).toEqual([
      { value: 1, reason: null },
      { value: 2, reason: null },
    ]);
  });

  it('a function of createBoundedRead whose read fails returns the message of the root cause, without credentials', async () => {
    const cause = new Error('no route to redis://user:secret@10.0.0.7:6379');
    const read = createBoundedRead(async () => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(await read()).toEqual({ value: undefined, reason: 'no route to redis://10.0.0.7:6379' });
  });

  it('a function of createBoundedRead can be called again after the read has thrown synchronously', async () => {
    let count = 0;
    const read = createBoundedRead<number>(() => {
      count += 1;
      if (count === 1) throw new Error('the first attempts fail');
      return Promise.resolve(count);
    });
    expect(await read()).toEqual({ value: undefined, reason: 'the first attempts fail' });
    expect(await read()).toEqual({ value: 2, reason: null });
  });

  it('a function of createBoundedRead whose previous read has timed out waits for that read instead of starting a second read', async () => {
    let count = 0;
    const { promise, resolve } = Promise.withResolvers<number>();
    const read = createBoundedRead(() => {
      count += 1;
      return promise;
    }, 5);
    expect(await read()).toEqual({ value: undefined, reason: 'no response within 5 ms' });
    const second = read();
    resolve(7);
    expect([await second, count]).toEqual([{ value: 7, reason: null }, 1]);
  });
});
