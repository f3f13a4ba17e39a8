import { expect, it } from 'vitest';
import { markTerms } from './mark-terms.js';

function listMarkedParts(text: string, terms: readonly string[]): readonly string[] {
  return markTerms(text, terms)
    .filter(({ isMarked }) => isMarked)
    .map((part) => part.text);
}

it('markTerms marks the words that begin with a term', () => {
  expect(listMarkedParts('The warranty covers Warranties.', ['warranti'])).toEqual(['warranty', 'Warranties']);
  expect(listMarkedParts('an animal', ['an'])).toEqual(['an']);
  expect(listMarkedParts('LayoutParser layouts', ['layout'])).toEqual(['layouts']);
  expect(listMarkedParts('nothing', [])).toEqual([]);
});

it('markTerms keeps the whole text', () => {
  const text = '<b>One</b>  two – üben';
  const joined = markTerms(text, ['two', 'üb']).map((part) => part.text);
  expect(joined.join('')).toBe(text);
});
