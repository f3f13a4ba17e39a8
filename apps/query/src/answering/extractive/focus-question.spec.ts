import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../../testing/knowledge.js';
import { getDocumentId } from '../../retrieval/document-id.js';
import { findNamedDocuments, focusQuestion } from './focus-question.js';

const QUESTION = 'What was the gross margin of Globex in the latest 7-B report of 2023?';

function createPassage(context: string, text: string, ordinal = 9): ReturnType<typeof createScoredFragment> {
  return createScoredFragment(text, { context, ordinal, documentKey: context.split(' › ')[0] ?? '' });
}

const GLOBEX_2023 = createPassage('2023 GLX.pdf › Globex Ltd.', 'The signature of this report on Form 7-B.');
const GLOBEX_2022 = createPassage(
  '2022 GLX.pdf › Globex Ltd.',
  'The certification of the report of Globex on Form 7-B.',
);
const INITECH = createPassage('2023 INI.pdf › Initech Ltd.', 'The report on Form 7-B describes Initech.');
const ALL = [GLOBEX_2022, INITECH, GLOBEX_2023];

describe('findNamedDocuments', () => {
  it('findNamedDocuments returns the document with the most names and numbers of the question in its name and headings', () => {
    expect(findNamedDocuments(QUESTION, ALL)?.documents).toEqual([GLOBEX_2023]);
  });

  it('findNamedDocuments returns the words of the question that do not name a document', () => {
    const asked = findNamedDocuments(QUESTION, ALL)?.asked.map(({ text }) => text);
    expect(asked).toEqual(expect.arrayContaining(['gross', 'margin', '7-B']));
    expect(asked).not.toContain('Globex');
    expect(asked).not.toContain('2023');
  });

  it('if the title of a document contains a name from the question, findNamedDocuments also counts this name in the text of other documents', () => {
    const named = findNamedDocuments('What was the gross margin of Initech in 2022?', [
      INITECH,
      GLOBEX_2022,
      createPassage('2022 INI.pdf', 'The report describes Initech.'),
    ]);
    expect(named?.documents.map(({ documentKey }) => documentKey)).toEqual(['2022 INI.pdf']);
  });

  it('findNamedDocuments uses the names in the conversation if the question contains no name', () => {
    const named = findNamedDocuments(
      'And the revenue?',
      ALL,
      'What was the gross margin of Initech?\nAnd the revenue?',
    );
    expect(named?.documents).toEqual([INITECH]);
    expect(named?.asked.map(({ text }) => text)).toEqual(['revenue']);
  });

  it('findNamedDocuments does not use the heading of a section as the name of the document', () => {
    const [first, second] = ['Sales of Azure Lamps', 'Notes'].map((heading, at) =>
      createPassage(`2023 GLX.pdf › Globex Ltd. › ${heading}`, `Text ${at}.`),
    );
    const named = findNamedDocuments('What were the sales of Azure lamps of Globex?', [
      first ?? INITECH,
      second ?? INITECH,
    ]);
    expect(named?.asked.map(({ text }) => text)).toContain('Azure');
  });

  it('findNamedDocuments ignores a name that more than 80 % of the other documents mention, such as the product of a manual', () => {
    const pages = ['Guide', 'Errors', 'Lamps'].map((name) => createPassage(name, `${name} of the Globex lamp.`));
    expect(findNamedDocuments('How do I repair Globex?', [createPassage('README › Globex', 'Start.'), ...pages])).toBe(
      undefined,
    );
  });

  it('findNamedDocuments returns a document whose beginning contains all names of the question', () => {
    const report = createPassage('2023 UMB.pdf', 'The report of Umbrella describes sales.');
    const beginnings = new Map([[getDocumentId(report), 'FORM 7-B\nUMBRELLA LTD.']]);
    const find = (question: string): unknown =>
      findNamedDocuments(question, [INITECH, report], question, beginnings)?.documents;
    expect(find('What was the gross margin of Umbrella?')).toEqual([report]);
    expect(find('What was the gross margin of Umbrella and Hooli?')).toBeUndefined();
  });

  it('findNamedDocuments returns undefined if the titles contain only a number of the question, such as a year', () => {
    const memo = createPassage('memo.pdf', '200 laptops were delivered on January 23, 2023.', 0);
    const question = 'How many laptops were delivered on January 23, 2023?';
    expect(findNamedDocuments(question, [memo, GLOBEX_2022, GLOBEX_2023])).toBeUndefined();
  });

  it('findNamedDocuments returns undefined if the question contains only one short word besides names', () => {
    expect(findNamedDocuments('How do I run Globex?', ALL)).toBeUndefined();
  });

  it('findNamedDocuments returns undefined for short documents and for questions without names', () => {
    expect(
      findNamedDocuments(
        QUESTION,
        ALL.map((each) => ({ ...each, ordinal: 0 })),
      ),
    ).toBeUndefined();
    expect(findNamedDocuments('What was the gross margin?', ALL)).toBeUndefined();
    expect(findNamedDocuments('Who leads Umbrella?', ALL)).toBeUndefined();
  });
});

describe('focusQuestion', () => {
  const asked = findNamedDocuments(QUESTION, ALL)?.asked ?? [];

  it('focusQuestion omits the words that the beginning of the document contains, such as the kind of the document', () => {
    expect(focusQuestion(asked, ['FORM 7-B. Report for the year'])).toBe('gross margin latest');
  });

  it('focusQuestion ignores the text after the beginning of the document', () => {
    expect(focusQuestion(asked, [`${'Title. '.repeat(120)} gross margin`])).toContain('gross margin');
  });

  it('focusQuestion returns all words if the beginning of the document contains them all', () => {
    expect(focusQuestion(asked, ['The gross margin in the latest 7-B report'])).toContain('gross margin');
  });
});
