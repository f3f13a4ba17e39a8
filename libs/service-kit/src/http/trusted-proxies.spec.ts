import { describe, expect, it } from 'vitest';
import { readTrustedProxies } from './trusted-proxies.js';

describe('readTrustedProxies', () => {
  it.each([
    [undefined, false],
    ['2', 2],
    ['loopback', ['loopback']],
    ['10.0.0.0/8, uniquelocal', ['10.0.0.0/8', 'uniquelocal']],
  ])('readTrustedProxies parses %j as %j', (text, trusted) => {
    expect(readTrustedProxies('PROXIES', text)).toEqual(trusted);
  });

  it.each(['true', '10.0.0.0/99', 'proxy.example', '-1'])('readTrustedProxies rejects %j', (text) => {
    expect(() => readTrustedProxies('PROXIES', text)).toThrow(/PROXIES must be a number of proxies, or networks/);
  });
});
