import { describe, expect, it } from 'vitest';
import { addressOf } from './reach.js';
import { redisAddress } from './redis-address.js';

describe('redisAddress', () => {
  it('leaves the address of one server as it is', () => {
    expect(redisAddress('rediss://:secret@queue:6380/2')).toEqual({
      kind: 'server',
      url: 'rediss://:secret@queue:6380/2',
    });
  });

  it('reads sentinels, their master and its database', () => {
    expect(redisAddress('redis+sentinel://user:p%40ss@a:26380,b/mymaster/3')).toEqual({
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

  it('reads the nodes of a cluster', () => {
    expect(redisAddress('rediss+cluster://a,[fd00::1]:7000')).toMatchObject({
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
    'refuses %s without repeating its password',
    (url) => {
      expect(() => redisAddress(url)).toThrow(RangeError);
      expect(() => redisAddress(url)).not.toThrow(/secret/);
    },
  );
});

describe('addressOf', () => {
  it.each([
    ['redis://:secret@queue:6379/1?family=6', 'redis://queue:6379/1'],
    ['redis+sentinel://u:secret@a:1,b:2/m', 'redis+sentinel://a:1,b:2/m'],
    ['postgres://u:secret@db/quarry', 'postgres://db/quarry'],
  ])('shows %s as %s', (url, shown) => {
    expect(addressOf(url)).toBe(shown);
  });
});
