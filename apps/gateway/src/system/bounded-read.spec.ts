import { describe, expect, it } from 'vitest';
import { createBoundedRead } from './bounded-read.js';

describe('createBoundedRead', () => {
  it('the function that createBoundedRead returns starts a new read on each call if no read is in progress', async () => {
    let count = 0;
    const read = createBoundedRead(async () => Promise.resolve((count += 1)));
    expect([await read(), await read()]).toEqual([
      { value: 1, reason: null },
      { value: 2, reason: null },
    ]);
  });

  it('if the read fails, the function that createBoundedRead returns resolves to the message of the root cause, without credentials', async () => {
    const cause = new Error('no route to redis://user:secret@10.0.0.7:6379');
    const read = createBoundedRead(async () => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(await read()).toEqual({ value: undefined, reason: 'no route to redis://10.0.0.7:6379' });
  });

  it('the function that createBoundedRead returns reads again after the previous read threw synchronously', async () => {
    let count = 0;
    const read = createBoundedRead<number>(() => {
      count += 1;
      if (count === 1) throw new Error('the first attempts fail');
      return Promise.resolve(count);
    });
    expect(await read()).toEqual({ value: undefined, reason: 'the first attempts fail' });
    expect(await read()).toEqual({ value: 2, reason: null });
  });

  it('if a read has timed out, the next call of the function that createBoundedRead returns waits for this read and starts no other', async () => {
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
