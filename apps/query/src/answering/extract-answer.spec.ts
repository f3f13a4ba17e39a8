import { describe, expect, it } from 'vitest';
import { scored } from '../testing/knowledge.js';
import { extractAnswer } from './extract-answer.js';

function answer(question: string, passages: readonly string[], score = 0.4): ReturnType<typeof extractAnswer> {
  const fragments = passages.map((text, at) => scored(text, { score: score - at / 100 }));
  return extractAnswer(fragments, [{ text: question, weight: 1 }]);
}

const OFFICE = 'The office is in Lisbon. It opens at nine in the morning. On Sundays it is closed.';
const WARRANTY = 'Each lamp has a warranty. The warranty for the lamp lasts two years. Bulbs are sold apart.';

describe('an extractive answer', () => {
  it('is the sentence that answers the question, with its source cited', () => {
    const found = answer('How long does the warranty last?', [OFFICE, WARRANTY]);
    expect(found?.text).toContain('lasts two years');
    expect(found?.text).not.toContain('Lisbon');
    expect([...(found?.cited ?? [])]).toEqual([1]);
  });

  it('is short, in reading order, and consists of whole sentences', () => {
    const found = answer('When does the office open, and where is the office?', [OFFICE]);
    expect(found?.text).toMatch(/^The office is in Lisbon\..*opens at nine in the morning\./);
    expect(found?.text.length).toBeLessThan(600);
  });

  it('is the text after the question or heading that matches', () => {
    const faq =
      'Q: Do you ship to islands?\nYes, with a surcharge.\n\nQ: Can I pay by invoice?\nFrom the second order on.';
    expect(answer('Can I pay by invoice?', [faq])?.text).toMatch(/^From the second order on\./);
    const page = '# Refunds\n\nThe money is back after five days.\n\n# Jobs\n\nWe look for people who care.';
    expect(answer('refunds', [page])?.text).toMatch(/^The money is back after five days\./);
  });

  it('writes a heading without markup on a line of its own', () => {
    const section = 'Create a datastore\n\nA datastore holds searchable content.';
    expect(answer('What is a datastore?', [section])?.text).toBe(section.replace('\n\n', '\n'));
  });

  it('prefers prose to commands with the same words, and uses commands if there is nothing else', () => {
    const command = `curl -H "$key" $api/datastores -d '{"name":"a"}'\ncurl -H "$key" $api/datastores/$datastore`;
    const prose = 'A datastore holds fragments and can be searched.';
    expect(answer('What is a datastore?', [command, prose])?.text).toBe(prose);
    expect(answer('What is a datastore?', [command])?.text).toContain('curl');
  });

  it('contains a sentence of two overlapping fragments once', () => {
    const found = answer('How long does the warranty last?', [WARRANTY, `It is new. ${WARRANTY}`]);
    expect(found?.text.match(/lasts two years/g)).toHaveLength(1);
  });

  it('supports languages without spaces between words', () => {
    const found = answer('保証期間は何年ですか', ['本社は東京にあります。保証期間は二年間です。電話は平日のみです。']);
    expect(found?.text).toContain('保証期間は二年間です。');
  });

  it('is undefined if the sentences share only common words with the question', () => {
    expect(answer('What is the capital of France?', [OFFICE, WARRANTY])).toBeUndefined();
    expect(answer('anything', [])).toBeUndefined();
  });

  it('is the nearest passage if its meaning matches but its words differ', () => {
    const found = answer('Wo sitzt die Firma?', [OFFICE], 0.8);
    expect([...(found?.cited ?? [])]).toEqual([0]);
  });

  it('is a heading if there is nothing else', () => {
    expect(answer('warranty', ['# Warranty of two years'])?.text).toBe('Warranty of two years');
  });
});
