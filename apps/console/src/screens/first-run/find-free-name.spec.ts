import { describe, expect, it } from 'vitest';
import { findFreeName } from './find-free-name.js';

describe('findFreeName', () => {
  it.each([
    [[], 'My documents'],
    [['Manuals'], 'My documents'],
    [['My documents'], 'My documents 2'],
    [['my documents ', 'My documents 2', 'My documents 4'], 'My documents 3'],
  ])(
    'if the names %j are in use, and the preferred name is “My documents”, findFreeName returns “%s”',
    (used, expected) => {
      expect(findFreeName('My documents', used)).toBe(expected);
    },
  );
});
