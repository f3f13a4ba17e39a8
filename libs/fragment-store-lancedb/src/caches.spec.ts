import { totalmem } from 'node:os';
import { describe, expect, it } from 'vitest';
import { defaultCacheBytes } from './caches.js';

const GIB = 2 ** 30;

describe('what is kept of indexes in memory', () => {
  it('is an eighth of the memory, never less than 64 MiB and never more than 1 GiB', () => {
    expect(defaultCacheBytes(2 * GIB)).toBe(GIB / 4);
    expect(defaultCacheBytes(GIB / 4)).toBe(GIB / 16);
    expect(defaultCacheBytes(64 * GIB)).toBe(GIB);
  });

  it('is measured by what this process may use', () => {
    expect(defaultCacheBytes()).toBeLessThanOrEqual(Math.max(GIB / 16, totalmem() / 8));
  });
});
