import { describe, expect, it } from 'vitest';
import { createBoundedRead } from './bounded-read.js';

describe('createBoundedRead', () => {
  it('a bounded read starts another read after a successful one', async () => {
    let count = 0;
    const read = createBoundedRead(async () => Promise.resolve((count += 1)));
    expect([await read(), await read()]).toEqual([
      { value: 1, reason: null },
      { value: 2, reason: null },
    ]);
  });

  it('a bounded read returns the reason of its failure from the error or its cause, without credentials', async () => {
    const cause = new Error('no route to redis://user:secret@10.0.0.7:6379');
    const read = createBoundedRead(async () => Promise.reject(new TypeError('fetch failed', { cause })));
    expect(await read()).toEqual({ value: undefined, reason: 'no route to redis://10.0.0.7:6379' });
  });

  it('a read that throws synchronously can be repeated', async () => {
    let count = 0;
    const read = createBoundedRead<number>(() => {
      count += 1;
      if (count === 1) throw new Error('the first attempts fail');
      return Promise.resolve(count);
    });
    expect(await read()).toEqual({ value: undefined, reason: 'the first attempts fail' });
    expect(await read()).toEqual({ value: 2, reason: null });
  });

  it('a bounded read waits for a read in progress instead of starting another one', async () => {
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
