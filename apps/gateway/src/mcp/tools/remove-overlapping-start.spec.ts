import { describe, expect, it } from 'vitest';
import { removeOverlappingStart } from './remove-overlapping-start.js';

describe('removeOverlappingStart', () => {
  it('removeOverlappingStart removes the sentence that both texts contain', () => {
    const sentence = 'The pump has two seals.';
    expect(removeOverlappingStart(`It is new. ${sentence}`, `${sentence} Each lasts a year.`)).toBe(
      'Each lasts a year.',
    );
  });

  it.each([
    ['It is described in chapter 2', '2 Installation'],
    ['| Bolt | 3 |', '| Item | Price |'],
    ['the internationalisation of', 'nationalisation of companies began'],
  ])('removeOverlappingStart keeps a start that matches the end of %j by coincidence', (before, fragment) => {
    expect(removeOverlappingStart(before, fragment)).toBe(fragment);
  });
});
