import { expect, it } from 'vitest';
import { markTerms } from './mark-terms.js';

function listMarkedParts(text: string, terms: readonly string[]): readonly string[] {
  return markTerms(text, terms)
    .filter(({ isMarked }) => isMarked)
    .map((part) => part.text);
}

it('markTerms marks a word that is a term, or that consists of a term and a short ending', () => {
  expect(listMarkedParts('The warranty covers Warranties.', ['warranti'])).toEqual(['warranty', 'Warranties']);
  expect(listMarkedParts('an animal', ['an'])).toEqual(['an']);
  expect(listMarkedParts('LayoutParser layouts', ['layout'])).toEqual(['layouts']);
  expect(listMarkedParts('nothing', [])).toEqual([]);
});

it('markTerms returns parts that together form the whole text', () => {
  const text = '<b>One</b>  two – üben';
  const joined = markTerms(text, ['two', 'üb']).map((part) => part.text);
  expect(joined.join('')).toBe(text);
});
