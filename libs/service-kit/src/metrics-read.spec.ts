import { expect, it } from 'vitest';
import { createMetricsRead } from './metrics-read.js';

it('the gauges that are collected at the same time share one read, and a later call reads again', async () => {
  let count = 0;
  const read = createMetricsRead(async () => Promise.resolve((count += 1)));
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  expect(await read()).toBe(2);
});

it('a failed read has no value, and the next call reads again', async () => {
  let count = 0;
  const read = createMetricsRead(async () => {
    count += 1;
    return count === 1 ? Promise.reject(new Error('away')) : Promise.resolve(count);
  });
  expect(await read()).toBeUndefined();
  expect(await read()).toBe(2);
});

it('a read that exceeds the timeout has no value, and the next call waits for it and starts no other', async () => {
  let count = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = createMetricsRead(() => {
    count += 1;
    return promise;
  }, 5);
  expect(await read()).toBeUndefined();
  const next = read();
  resolve('late');
  expect([await next, count]).toEqual(['late', 1]);
});
