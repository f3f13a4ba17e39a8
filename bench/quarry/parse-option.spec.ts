import { describe, expect, it } from 'vitest';
import { parseNames, parseNumber } from './parse-option.js';

describe('parseNames', () => {
  it('parseNames returns the selected names in the order of `known`', () => {
    expect(parseNames('backends', 'redis,postgres', ['postgres', 'redis'])).toEqual(['postgres', 'redis']);
    expect(parseNames('backends', 'redis', ['postgres', 'redis'])).toEqual(['redis']);
    expect(parseNames('stores', '', ['lancedb', 'qdrant'])).toEqual([]);
  });

  it('parseNames rejects a value with a name that is not in `known`', () => {
    expect(() => parseNames('backends', 'postgres,rediss', ['postgres', 'redis'])).toThrow(
      'expected only postgres, redis in --backends, found rediss',
    );
  });
});

describe('parseNumber', () => {
  it('parseNumber parses whole and decimal numbers from 0', () => {
    expect(['0', '20000', '0.5'].map((text) => parseNumber('documents', text))).toEqual([0, 20_000, 0.5]);
  });

  it.each(['', 'many', '-1', '1e9x', '20_000'])('parseNumber rejects the value "%s"', (text) => {
    expect(() => parseNumber('documents', text)).toThrow('expected a number in --documents');
  });
});
