import { describe, expect, it } from 'vitest';
import { selectExcerpt } from './select-excerpt.js';

const OPENING = 'Part 219 of the saw is mounted with the screw of tray 19 and turned by hand until it stops. ';

describe('selectExcerpt', () => {
  it('selectExcerpt starts the excerpt at the sentence that shares the most words with the answer', () => {
    const text = `${OPENING}The warranty of the espresso machine lasts seven years. Keep it dry.`;
    expect(selectExcerpt(text, 'The warranty of the espresso machine lasts seven years.')).toBe(
      '… The warranty of the espresso machine lasts seven years. Keep it dry.',
    );
  });

  it('selectExcerpt treats a table row as one sentence, even if the row contains a decimal point', () => {
    const text = `${OPENING}\n| Model | Weight |\n| Drill | 1.5 kg of steel |`;
    expect(selectExcerpt(text, 'The drill weighs 1.5 kg [1], and is of steel.')).toBe('… Drill · 1.5 kg of steel');
  });

  it('selectExcerpt does not compare the numbers in the citation marks of the answer', () => {
    const passage = `${OPENING}Trays 2 and 3 hold the screws. The warranty of the drill lasts seven years.`;
    expect(selectExcerpt(passage, 'Its warranty is the longest: seven years [2, 3].')).toBe(
      '… The warranty of the drill lasts seven years.',
    );
    expect(selectExcerpt(passage, 'It is the longest [2-3].')).toBe(passage);
  });

  it('selectExcerpt returns the whole passage if the selected sentence is near the beginning of the passage, or if no sentence shares two words with the answer', () => {
    const text = `It is short. The warranty lasts seven years. ${OPENING.trim()}`;
    expect(selectExcerpt(text, 'The warranty lasts seven years.')).toBe(text);
    expect(selectExcerpt(`${OPENING}${text}`, 'Nothing else matches')).toBe(`${OPENING}${text}`);
    expect(selectExcerpt('', 'Nothing')).toBe('');
  });
});
