import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isItemDate, subtractMillisecond } from './listed-item.js';
import { buildRequestAddress, buildParameters, formatRequest, computePauseMs } from './listing-client.js';

const all = buildParameters({ take: 100, skip: 0, modifiedAfter: '' });
const some = buildParameters({ take: 2, skip: 4, modifiedAfter: '2026-01-31T00:00:00.000Z' });

describe('the address of a request', () => {
  it('the address contains each parameter that the contract requires, also when all items are requested', () => {
    expect(buildRequestAddress('http://shop.example/items', all, 'n')).toBe(
      'http://shop.example/items?take=100&skip=0&order=ASC&order_by=date_modified,id&modified_after=1970-01-01T00:00:00.000Z&_nonce=n',
    );
    expect(new URL(buildRequestAddress('https://shop.example', some, 'n')).searchParams.get('modified_after')).toBe(
      '2026-01-31T00:00:00.000Z',
    );
  });

  it('the address contains the customer’s own parameters unchanged, and reserved ones are replaced', () => {
    const listing = 'https://shop.example/items?key=a%20b+c&list[]=1&list[]=2&take=5&_nonce=x&%74ake=9&empty#fragment';
    expect(buildRequestAddress(listing, all, 'n')).toMatch(
      /^https:\/\/shop\.example\/items\?key=a%20b\+c&list\[\]=1&list\[\]=2&empty&take=100&skip=0&[^#]*_nonce=n$/,
    );
  });

  it('formatRequest masks the values of the customer’s own parameters', () => {
    expect(formatRequest('https://shop.example/items?key=secret', some)).toBe(
      'GET https://shop.example/items?key=…&take=2&skip=4&order=ASC&order_by=date_modified,id&modified_after=2026-01-31T00:00:00.000Z',
    );
  });
});

describe('subtracting a millisecond from a date', () => {
  it('a filter with the result includes items of the original date', () => {
    expect(subtractMillisecond('2026-01-01T00:00:00.000Z')).toBe('2025-12-31T23:59:59.999Z');
    const dates = fc.date({ min: new Date('0000-01-01T00:00:00.001Z'), max: new Date('9999-12-31T23:59:59.999Z') });
    fc.assert(
      fc.property(
        dates.filter((date) => !Number.isNaN(date.getTime())),
        (date) => {
          const before = subtractMillisecond(date.toISOString());
          expect(isItemDate(before)).toBe(true);
          expect(Date.parse(before)).toBe(date.getTime() - 1);
        },
      ),
    );
  });

  it('returns no date for the earliest date', () => {
    expect(subtractMillisecond('0000-01-01T00:00:00.000Z')).toBe('');
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00.000Z');
  it.each([
    ['120', 120_000],
    ['0', 1_000],
    ['1000000', 3_600_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 1_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('the Retry-After value %j is parsed as %s ms', (header, ms) => {
    expect(computePauseMs(header, now)).toBe(ms);
  });
});
