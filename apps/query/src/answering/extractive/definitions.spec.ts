import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../../testing/knowledge.js';
import { includeDefinition } from './definitions.js';

const GLOSSARY =
  '| term | definition |\n|---|---|\n| **lamp** | A source of light. |\n| **bulb** | A part of a lamp. |';
const MENTIONS = ['Switch the lamp on.', 'Clean the lamp.', 'The lamp has a warranty.'];

function includeTexts(
  question: string,
  texts: readonly string[],
  further: readonly string[],
  topK = 3,
): readonly string[] {
  const sources = texts.map((text) => createScoredFragment(text, { score: 0.4 }));
  const rest = further.map((text) => ({ item: createScoredFragment(text, { score: 0.9 }), score: 0.2 }));
  const candidates = [...sources.map((item) => ({ item, score: item.score })), ...rest];
  return includeDefinition(sources, candidates, question, topK).map(({ text, score }) => `${score} ${text}`);
}

describe('includeDefinition', () => {
  const [first = '', second = ''] = MENTIONS;

  it.each([GLOSSARY, 'A lamp is a source of light.'])(
    'for “What is a lamp?”, includeDefinition replaces the last source by the definition %j',
    (definition) => {
      const expected = [`0.4 ${first}`, `0.4 ${second}`, `0.2 ${definition}`];
      expect(includeTexts('What is a lamp?', MENTIONS, ['Buy a lamp.', definition])).toEqual(expected);
    },
  );

  it.each<[string, string, readonly string[], readonly string[]]>([
    ['the question asks for more than a definition', 'How do I clean the lamp?', MENTIONS, [GLOSSARY]],
    [
      'a source already defines the subject',
      'What is a lamp?',
      [...MENTIONS.slice(1), GLOSSARY],
      ['A lamp is a thing.'],
    ],
    [
      'no fragment defines the subject',
      'What is a lamp?',
      MENTIONS,
      ['A lamp that is broken is dark.', 'Lamps are thin.'],
    ],
    ['all fragments are sources', 'What is a lamp?', MENTIONS.slice(1), []],
    ['the search found nothing', 'What is a lamp?', [], []],
  ])('includeDefinition returns the sources unchanged if %s', (_, question, texts, further) => {
    expect(includeTexts(question, texts, further)).toEqual(texts.map((text) => `0.4 ${text}`));
  });
});
