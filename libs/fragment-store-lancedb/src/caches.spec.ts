import { totalmem } from 'node:os';
import { describe, expect, it } from 'vitest';
import { getDefaultCacheBytes } from './caches.js';

const GIB = 2 ** 30;

describe('the default size of the index cache', () => {
  it('the default cache size is an eighth of the memory, at least 64 MiB and at most 1 GiB', () => {
    expect(getDefaultCacheBytes(2 * GIB)).toBe(GIB / 4);
    expect(getDefaultCacheBytes(GIB / 4)).toBe(GIB / 16);
    expect(getDefaultCacheBytes(64 * GIB)).toBe(GIB);
  });

  it('the default cache size depends on the memory limit of this process', () => {
    expect(getDefaultCacheBytes()).toBeLessThanOrEqual(Math.max(GIB / 16, totalmem() / 8));
  });
});
