import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../../testing/knowledge.js';
import { listCandidates } from './sentence-candidates.js';
import { createTopicFilter } from './topic-filter.js';

const QUESTION = 'gross margin of the Azura segment this quarter';

function listOnTopic(text: string, context = 'Report'): string[] {
  const fragment = createScoredFragment(text, { context });
  const candidates = listCandidates([fragment], [fragment], { question: QUESTION, isFocused: true });
  return candidates.filter(createTopicFilter(QUESTION)).map((candidate) => candidate.text);
}

describe('createTopicFilter', () => {
  it('createTopicFilter accepts a sentence that contains a phrase of the question, such as “gross margin”, and a quantity', () => {
    const sentence = 'The gross margin fell to 53.6 %.';
    expect(listOnTopic(sentence)).toEqual([sentence]);
  });

  it('createTopicFilter accepts a sentence without a quantity if it has a phrase and most words of the question', () => {
    const sentence = 'The gross margin of the Azura segment fell.';
    expect(listOnTopic(sentence)).toEqual([sentence]);
  });

  it('createTopicFilter refuses a sentence that contains a phrase of the question, but no quantity and few other words of the question', () => {
    expect(listOnTopic('We manage costs, gross margin and suppliers.')).toEqual([]);
  });

  it('createTopicFilter refuses a sentence that contains a quantity but no phrase of the question', () => {
    expect(listOnTopic('The gross amount of each sale was 53.6 million, and the margin of error was small.')).toEqual(
      [],
    );
  });

  it('createTopicFilter accepts a table row that contains a phrase or a proper name from the question', () => {
    const table = '| | 2023 |\n|---|---|\n| Gross margin | 361 |\n| Azura | 120 |\n| Revenue | 900 |';
    expect(listOnTopic(table)).toEqual(['Gross margin; 2023: 361', 'Azura; 2023: 120']);
  });

  it('createTopicFilter accepts every sentence below a heading that matches the question', () => {
    const sentence = 'It fell because of the weather.';
    expect(listOnTopic(sentence, `Report › ${QUESTION}`)).toEqual([sentence]);
    expect(listOnTopic(sentence)).toEqual([]);
  });
});
