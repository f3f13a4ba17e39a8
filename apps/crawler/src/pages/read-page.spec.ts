import { describe, expect, it } from 'vitest';
import { parseRobotsDirectives } from './read-page.js';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const parseDirectives = (...values: readonly string[]): string => {
  const { noindex, nofollow } = parseRobotsDirectives(values, 'QuarryBot', NOW);
  return [noindex ? 'noindex' : '', nofollow ? 'nofollow' : ''].join(' ').trim();
};

describe('parseRobotsDirectives', () => {
  it.each([
    [[], ''],
    [['index, follow'], ''],
    [['NOINDEX'], 'noindex'],
    [['noindex,nofollow'], 'noindex nofollow'],
    [['none'], 'noindex nofollow'],
    [['all', 'noindex'], 'noindex'],
    [['max-snippet:-1, noindex'], 'noindex'],
    [['quarrybot: noindex'], 'noindex'],
    [['otherbot: noindex, nofollow'], ''],
    [['otherbot: noindex, quarrybot: nofollow'], 'nofollow'],
    [['otherbot: noindex', 'nofollow'], 'nofollow'],
    [['unavailable_after: 2026-01-01'], 'noindex'],
    [['unavailable_after: 2027-01-01'], ''],
    [['unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow'], 'noindex nofollow'],
    [['noindexing, unindexed'], ''],
  ])('parseRobotsDirectives parses %j as %j', (values, expected) => {
    expect(parseDirectives(...values)).toBe(expected);
  });

  it('parseRobotsDirectives reads a directive of many spaces in linear time', () => {
    const spaces = ' '.repeat(1_000_000);
    const values = [`unavailable_after:${spaces}x\ny`, `quarrybot${spaces}:${spaces}x\ny, noindex`];
    expect(parseDirectives(...values)).toBe('noindex');
    expect(parseDirectives(`unavailable_after${spaces}:${spaces}2026-01-01`)).toBe('noindex');
  });

  it('parseRobotsDirectives ignores a date after the year 9999, which a page record cannot contain', () => {
    const parse = (date: string) => parseRobotsDirectives([`unavailable_after: ${date}`], 'quarrybot', Date.UTC(2026));
    expect(parse('9999-12-31T23:59:59-05:00').unavailableAfter).toBeUndefined();
    expect(parse('9999-12-31T23:59:59Z').unavailableAfter).toBe('9999-12-31T23:59:59.000Z');
  });
});
