import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../../testing/knowledge.js';
import { type Candidate, isStatement, listCandidates } from './sentence-candidates.js';

function list(text: string, isFocused = true): Candidate[] {
  const fragment = createScoredFragment(text, { context: 'Report › Gross margin' });
  return listCandidates([fragment], [fragment], { question: 'gross margin', isFocused });
}

describe('isStatement', () => {
  it.each([
    ['Sales rose by a third.', true],
    ['iPhone sales rose by a third.', true],
    ['of the report that the company signed.', false],
    ['Management’s discussion and analysis', false],
    ['| | 2023 |\n|---|---|\n| Sales | 900 |', true],
    ['| | year |\n|---|---|\n| Sales | none |', false],
    ['Research | $ 2,040 | 12 %', true],
    ['to shareholders | $ 2,040 | 12 %', false],
    ['Item 1. | Financial statements | 3', false],
    ['| Item 1. | Legal proceedings |', false],
    ['405 | Lower costs of operation', false],
    ['| See Item 1 of Part 2. |', false],
    ['Refer to Note 14 for the legal proceedings.', false],
    ['Siehe Abschnitt 4 zu den Verfahren.', false],
    ['Seen from here, sales rose by a third.', true],
    ['Commission File Number: 001-36743', true],
    ['電話番号：03-1234-5678', true],
    ['Part II: Other Information ........ 45', false],
    ['- Shares outstanding: 16,070,752,000', true],
    ['Notes to the statements:', false],
    ['Note 4: Financial instruments', false],
    ['Segment information and geographic data: overview', false],
  ])('for the text %j, isStatement returns %j', (text, expected) => {
    expect(list(text).some(isStatement)).toBe(expected);
  });
});

describe('listCandidates', () => {
  const table = '| | 2023 |\n|---|---|\n| Products | 400 |\n| Services | 500 |\n| Total | 900 |';

  it('listCandidates gives all rows of a table the same heading match if `isFocused` is true; else the match decreases from row to row', () => {
    expect(new Set(list(table).map(({ title }) => title))).toEqual(new Set([1]));
    expect(new Set(list(table, false).map(({ title }) => title)).size).toBe(3);
  });
});
