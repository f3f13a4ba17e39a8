import { describe, expect, it } from 'vitest';
import { findShapeProblems } from './shape-problems.js';

describe('findShapeProblems', () => {
  it('findShapeProblems accepts a response with the documented fields and types but other values', () => {
    expect(findShapeProblems({ a: [{ b: 1 }], c: null }, { a: [{ b: 2 }, { b: 3 }], c: 'x' })).toEqual([]);
  });

  it.each([
    [{ a: 1 }, {}, 'response.a is missing'],
    [{}, { a: 1 }, 'response.a is not documented'],
    [{ a: 1 }, { a: '1' }, 'response.a is string, documented as number'],
    [[{ a: 1 }], [], 'response is empty'],
    [[{ a: 1 }], [{ b: 1 }], 'response[0].a is missing'],
  ])(
    'findShapeProblems reports how the fields differ between the documented response %j and the actual response %j',
    (documented, actual, problem) => {
      expect(findShapeProblems(documented, actual)).toContain(problem);
    },
  );
});
