import { describe, expect, it } from 'vitest';
import { parseArguments } from './parse-arguments.js';

describe('parseArguments', () => {
  it('parseArguments parses the address and all options', () => {
    expect(
      parseArguments([
        '--header',
        'X-API-Key: a:b',
        '--header=Accept-Language:de',
        '--items',
        '50',
        'https://shop.example/items',
      ]),
    ).toEqual({
      url: 'https://shop.example/items',
      headers: { 'X-API-Key': 'a:b', 'Accept-Language': 'de' },
      maxItems: 50,
      allowLocal: false,
    });
    expect(parseArguments(['http://localhost:4000/items', '--local'])).toMatchObject({ allowLocal: true, headers: {} });
  });

  it.each([
    [[], /expected one listing address, found 0 addresses/],
    [['http://a.example', 'http://b.example'], /expected one listing address, found 2 addresses/],
    [['shop'], /expected an address such as/],
    [['--items', 'all', 'http://a.example'], /--items: expected a whole number from 1, found all/],
    [['--header', 'key', 'http://a.example'], /--header: expected "Name: value"/],
    [['--verbose', 'http://a.example'], /--verbose/],
  ])('parseArguments rejects the arguments %j and gives the reason', (given, message) => {
    expect(() => parseArguments(given)).toThrow(message);
  });
});
