import { describe, expect, it } from 'vitest';
import { redactAddress } from './connect-with-retries.js';
import { parseRedisAddress } from './redis-address.js';

describe('parsing a Redis address', () => {
  it('parseRedisAddress returns the address of a single server unchanged', () => {
    expect(parseRedisAddress('rediss://:secret@queue:6380/2')).toEqual({
      kind: 'server',
      url: 'rediss://:secret@queue:6380/2',
    });
  });

  it('parseRedisAddress parses the sentinels, the name of the master and the number of the database', () => {
    expect(parseRedisAddress('redis+sentinel://user:p%40ss@a:26380,b/mymaster/3')).toEqual({
      kind: 'sentinel',
      nodes: [
        { host: 'a', port: 26_380 },
        { host: 'b', port: 26_379 },
      ],
      master: 'mymaster',
      db: 3,
      tls: false,
      username: 'user',
      password: 'p@ss',
    });
  });

  it('parseRedisAddress parses the nodes of a cluster', () => {
    expect(parseRedisAddress('rediss+cluster://a,[fd00::1]:7000')).toMatchObject({
      kind: 'cluster',
      nodes: [
        { host: 'a', port: 6_379 },
        { host: 'fd00::1', port: 7_000 },
      ],
      tls: true,
      password: undefined,
    });
  });

  it.each(['redis+sentinel://:secret@a:26379', 'redis+cluster://:secret@', 'redis+cluster://:secret@a:b'])(
    'parseRedisAddress rejects %s, and the error does not contain the password',
    (url) => {
      expect(() => parseRedisAddress(url)).toThrow(RangeError);
      expect(() => parseRedisAddress(url)).not.toThrow(/secret/);
    },
  );

  it.each(['redis+sentinel://:secret%4@a:26379/m', 'redis+cluster://secret%zz:password@a:6379'])(
    'parseRedisAddress rejects the malformed percent-encoding of %s, and the error does not contain the credentials',
    (url) => {
      expect(() => parseRedisAddress(url)).toThrow(RangeError);
      expect(() => parseRedisAddress(url)).toThrow(/^expected valid percent-encoding/);
      expect(() => parseRedisAddress(url)).not.toThrow(/secret/);
    },
  );
});

describe('redacting an address', () => {
  it.each([
    ['redis://:secret@queue:6379/1?family=6', 'redis://queue:6379/1'],
    ['redis+sentinel://u:secret@a:1,b:2/m', 'redis+sentinel://a:1,b:2/m'],
    ['postgres://u:secret@db/quarry', 'postgres://db/quarry'],
    ['redis://u:se@c/r?et@queue:6379/1?family=6', 'redis://queue:6379/1'],
  ])('redactAddress removes the credentials and the parameters from %s: %s', (url, shown) => {
    expect(redactAddress(url)).toBe(shown);
  });
});
