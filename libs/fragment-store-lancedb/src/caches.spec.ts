import { totalmem } from 'node:os';
import { describe, expect, it } from 'vitest';
import { getDefaultCacheBytes } from './caches.js';

const GIB = 2 ** 30;

describe('the default size of the index cache', () => {
  it('getDefaultCacheBytes returns an eighth of the memory, at least 64 MiB and at most 1 GiB', () => {
    expect(getDefaultCacheBytes(2 * GIB)).toBe(GIB / 4);
    expect(getDefaultCacheBytes(GIB / 4)).toBe(GIB / 16);
    expect(getDefaultCacheBytes(64 * GIB)).toBe(GIB);
  });

  it('getDefaultCacheBytes uses the memory limit of this process by default', () => {
    expect(getDefaultCacheBytes()).toBeLessThanOrEqual(Math.max(GIB / 16, totalmem() / 8));
  });
});
