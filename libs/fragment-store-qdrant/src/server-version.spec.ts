import { describe, expect, it } from 'vitest';
import { isOlderVersion } from './server-version.js';

describe('isOlderVersion', () => {
  it.each([
    ['1.9.7', '1.16.0', true],
    ['1.16.0', '1.16.0', false],
    ['1.16.3', '1.18.1', true],
    ['1.19.0', '1.18.1', false],
    ['2.0.0', '1.18.1', false],
    ['1.18.1-dev', '1.18.1', false],
  ])(
    'isOlderVersion(%j, %j) returns %j, because it compares the parts of the versions as numbers',
    (version, than, expected) => {
      expect(isOlderVersion(version, than)).toBe(expected);
    },
  );
});
