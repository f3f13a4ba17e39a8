import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../testing/knowledge.js';
import { extractAnswer, isLikelyCode } from './extract-answer.js';

function answerFrom(question: string, passages: readonly string[], score = 0.4): ReturnType<typeof extractAnswer> {
  const fragments = passages.map((text, at) => createScoredFragment(text, { score: score - at / 100 }));
  return extractAnswer(fragments, [{ text: question, weight: 1 }]);
}

const OFFICE = 'The office is in Lisbon. It opens at nine in the morning. On Sundays it is closed.';
const WARRANTY = 'Each lamp has a warranty. The warranty for the lamp lasts two years. Bulbs are sold apart.';

describe('extractAnswer', () => {
  it('returns the sentence that answers the question, and cites its source', () => {
    const found = answerFrom('How long does the warranty last?', [OFFICE, WARRANTY]);
    expect(found?.text).toContain('lasts two years');
    expect(found?.text).not.toContain('Lisbon');
    expect([...(found?.cited ?? [])]).toEqual([1]);
  });

  it('returns a few whole sentences in reading order', () => {
    const found = answerFrom('When does the office open, and where is the office?', [OFFICE]);
    expect(found?.text).toMatch(/^The office is in Lisbon\..*opens at nine in the morning\./);
    expect(found?.text.length).toBeLessThan(600);
  });

  it('returns the text after a heading or question that matches', () => {
    const faq =
      'Q: Do you ship to islands?\nYes, with a surcharge.\n\nQ: Can I pay by invoice?\nFrom the second order on.';
    expect(answerFrom('Can I pay by invoice?', [faq])?.text).toMatch(/^From the second order on\./);
    const page = '# Refunds\n\nThe money is back after five days.\n\n# Jobs\n\nWe look for people who care.';
    expect(answerFrom('refunds', [page])?.text).toMatch(/^The money is back after five days\./);
  });

  it('returns a heading without its markup, on a line of its own', () => {
    const section = 'Create a datastore\n\nA datastore holds searchable content.';
    expect(answerFrom('What is a datastore?', [section])?.text).toBe(section.replace('\n\n', '\n'));
  });

  it('prefers prose to commands with the same words, and returns commands if there is no prose', () => {
    const command = `curl -H "$key" $api/datastores -d '{"name":"a"}'\ncurl -H "$key" $api/datastores/$datastore`;
    const prose = 'A datastore holds fragments and can be searched.';
    expect(answerFrom('What is a datastore?', [command, prose])?.text).toBe(prose);
    expect(answerFrom('What is a datastore?', [command])?.text).toContain('curl');
  });

  it('returns a sentence of two overlapping fragments once', () => {
    const found = answerFrom('How long does the warranty last?', [WARRANTY, `It is new. ${WARRANTY}`]);
    expect(found?.text.match(/lasts two years/g)).toHaveLength(1);
  });

  it('answers in languages without spaces between words', () => {
    const found = answerFrom('保証期間は何年ですか', [
      '本社は東京にあります。保証期間は二年間です。電話は平日のみです。',
    ]);
    expect(found?.text).toContain('保証期間は二年間です。');
  });

  it('returns undefined if the sentences share only common words with the question', () => {
    expect(answerFrom('What is the capital of France?', [OFFICE, WARRANTY])).toBeUndefined();
    expect(answerFrom('anything', [])).toBeUndefined();
  });

  it('returns the nearest passage if its meaning matches the question but its words differ', () => {
    const found = answerFrom('Wo sitzt die Firma?', [OFFICE], 0.8);
    expect([...(found?.cited ?? [])]).toEqual([0]);
  });

  it('returns a heading if the fragments contain no other text', () => {
    expect(answerFrom('warranty', ['# Warranty of two years'])?.text).toBe('Warranty of two years');
  });
});

it.each([
  `curl -H "$key" -H "$json" $api/datastores -d '{"name":"Handbook"}' # → {"id":"…"}`,
  'const made = await client.createDatastore({ name: "manuals" });',
  '{"dependencies":{"express":"5.3.0"},"type":"module"}',
])('classifies as code: %s', (text) => {
  expect(isLikelyCode(text)).toBe(true);
});

it.each([
  'Holds fragments and can be searched. Its embedding settings are fixed when it is made.',
  'He said: "The warranty (two years) has ended", and left.',
  'Read https://example.com/manuals/pumps/p-100 before you start it.',
  'SKU-12/b | 4.50 € | in stock',
  '`npm start` installs what is missing (about a minute) and runs Quarry.',
  '保証期間は二年間です。',
  '',
])('classifies as prose: %s', (text) => {
  expect(isLikelyCode(text)).toBe(false);
});
