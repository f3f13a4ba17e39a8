import { listCitationMarks } from '@quarry/text-analysis/citation-marks';
import { describe, expect, it } from 'vitest';
import { createScoredFragment } from '../../testing/knowledge.js';
import { extractAnswer } from './extract-answer.js';

function extractFrom(question: string, passages: readonly string[], score = 0.4): ReturnType<typeof extractAnswer> {
  const fragments = passages.map((text, at) => createScoredFragment(text, { score: score - at / 100 }));
  return extractAnswer(fragments, [{ text: question, weight: 1 }]);
}

const OFFICE = 'The office is in Lisbon. It opens at nine in the morning. On Sundays it is closed.';
const WARRANTY = 'Each lamp has a warranty. The warranty for the lamp lasts two years. Bulbs are sold apart.';

describe('extractAnswer', () => {
  it('extractAnswer returns the sentence that answers the question, and cites its source', () => {
    const found = extractFrom('How long does the warranty last?', [OFFICE, WARRANTY]);
    expect(found?.text).toContain('lasts two years');
    expect(found?.text).not.toContain('Lisbon');
    expect([...(found?.cited ?? [])]).toEqual([1]);
  });

  it('extractAnswer marks the sentences of each fragment with the number of the fragment', () => {
    const question = 'How long is the warranty of the lamp, and how long is the warranty of the drill?';
    const lamp = 'The warranty of the lamp is two years long.';
    const drill = 'The warranty of the drill is three years long.';
    const found = extractFrom(question, [OFFICE, lamp, drill]);
    expect(found?.markedText).toBe(`${drill} [3]\n\n${lamp} [2]`);
    expect(found?.text).toBe(`${drill}\n\n${lamp}`);
  });

  it('extractAnswer removes the source’s own numbers in brackets, which would cite unrelated sources', () => {
    const paper = 'The warranty of the lamp [1, 3] lasts two years [3]. It is from 1990 [17].';
    const found = extractFrom('How long does the warranty of the lamp last?', [OFFICE, paper, 'We hire.']);
    expect(found?.text).toMatch(/^The warranty of the lamp lasts two years\./);
    expect(listCitationMarks(found?.text ?? '', 3)).toEqual([]);
    expect(listCitationMarks(found?.markedText ?? '', 3)).toMatchObject([{ numbers: [2] }]);
  });

  it('extractAnswer does not change the numbers in brackets of code', () => {
    const page = 'Upload a file\n\nSend it as a form.\n\ncurl $api/files -d ids=[1]';
    expect(extractFrom('How do I upload a file?', [page])?.text).toContain('curl $api/files -d ids=[1]');
  });

  it('extractAnswer writes the citation mark of a code block below the code', () => {
    const page = 'Upload a file\n\nSend it as a form.\n\ncurl -F file=@a.pdf $api/files';
    const found = extractFrom('How do I upload a file?', [page]);
    expect(found?.markedText).toBe('Send it as a form.\n\ncurl -F file=@a.pdf $api/files\n\n[1]');
  });

  it('extractAnswer returns a few whole sentences in document order', () => {
    const found = extractFrom('When does the office open, and where is the office?', [OFFICE]);
    expect(found?.text).toMatch(/^The office is in Lisbon\..*opens at nine in the morning\./);
    expect(found?.text.length).toBeLessThan(600);
  });

  it('extractAnswer returns the text that follows a heading or question in the document if it matches the asked question', () => {
    const faq =
      'Q: Do you ship to islands?\nYes, with a surcharge.\n\nQ: Can I pay by invoice?\nFrom the second order on.';
    expect(extractFrom('Can I pay by invoice?', [faq])?.text).toMatch(/^From the second order on\./);
    const page = '# Refunds\n\nThe money is back after five days.\n\n# Jobs\n\nWe look for people who care.';
    expect(extractFrom('refunds', [page])?.text).toMatch(/^The money is back after five days\./);
  });

  it('extractAnswer answers with the start of the section whose heading states the question', () => {
    const page =
      'Upload a file\n\nSend it as a form. The limit is 100 MiB.\n\ncurl -F file=@a.pdf $api/files\n\nJobs\n\nWe hire.';
    expect(extractFrom('How do I upload a file?', ['A file is a unit of storage.', page])?.text).toBe(
      'Send it as a form. The limit is 100 MiB.\n\ncurl -F file=@a.pdf $api/files',
    );
  });

  it('extractAnswer omits an incomplete piece of code, such as the end of a JSON object', () => {
    const request =
      'Add a web page\n\ncurl -d "{}" $api/pages\n\n```json\n  },\n  "page": { "failed": 0 }\n}\n```\n\nIt fetches a web page.';
    const text = extractFrom('How do I add a web page?', [request, OFFICE])?.text ?? '';
    expect(text).toMatch(/^curl -d .*It fetches a web page\.$/s);
    expect(text).not.toContain('failed');
  });

  it('extractAnswer returns a table row once if other tables repeat the row without a column or without units', () => {
    const sales = '| | 2023 | 2022 | Change |\n|---|---|---|---|\n| Net sales | $ 82,959 | $ 81,434 | 2 % |';
    const results = '| | 2023 | 2022 |\n|---|---|---|\n| Net sales | 82,959 | 81,434 |';
    const earlier = '| | 2021 | 2020 |\n|---|---|---|\n| Net sales | 71,120 | 64,040 |';
    const fragments = [sales, results, earlier].map((text) =>
      createScoredFragment(text, { score: 0.4, documentKey: 'a' }),
    );
    const found = extractAnswer(fragments, [{ text: 'What were the net sales?', weight: 1 }]);
    expect(found?.text.match(/82,959/g)).toHaveLength(1);
    expect(found?.text).toContain('71,120');
  });

  it('extractAnswer returns table rows with their column headers', () => {
    const table =
      '| variable | meaning |\n|---|---|\n| PORT | port of the service |\n| HOST | address of the service |';
    const found = extractFrom('Which variable sets the port?', [table]);
    expect(found?.text).toMatch(/^variable: PORT; meaning: port of the service/);
  });

  it('extractAnswer prefers prose to commands with the same words, and returns commands if there is no prose', () => {
    const command = `curl -H "$key" $api/datastores -d '{"name":"a"}'\ncurl -H "$key" $api/datastores/$datastore`;
    const prose = 'A datastore holds fragments and can be searched.';
    expect(extractFrom('What is a datastore?', [command, prose])?.text).toBe(prose);
    expect(extractFrom('What is a datastore?', [command])?.text).toContain('curl');
  });

  it('extractAnswer returns a sentence of two overlapping fragments once', () => {
    const found = extractFrom('How long does the warranty last?', [WARRANTY, `It is new. ${WARRANTY}`]);
    expect(found?.text.match(/lasts two years/g)).toHaveLength(1);
  });

  it('extractAnswer finds the answer in a text without spaces between words', () => {
    const found = extractFrom('保証期間は何年ですか', [
      '本社は東京にあります。保証期間は二年間です。電話は平日のみです。',
    ]);
    expect(found?.text).toContain('保証期間は二年間です。');
  });

  it('extractAnswer returns undefined if the sentences share only common words with the question', () => {
    expect(extractFrom('What is the capital of France?', [OFFICE, WARRANTY])).toBeUndefined();
    expect(extractFrom('anything', [])).toBeUndefined();
  });

  it('extractAnswer returns a passage in another language that is close in meaning but shares no words with the question', () => {
    const found = extractFrom('Wo sitzt die Firma?', [OFFICE], 0.8);
    expect([...(found?.cited ?? [])]).toEqual([0]);
  });

  it('extractAnswer returns a heading if the fragments contain no other text', () => {
    expect(extractFrom('warranty', ['# Warranty of two years'])?.text).toBe('Warranty of two years');
  });

  it('extractAnswer cites no document whose subject differs from the subject that the question names', () => {
    const report = (subject: string, at: number): ReturnType<typeof createScoredFragment> =>
      createScoredFragment(`Inventory rose in the third quarter because of demand for ${subject} parts.`, {
        ...{ context: `2023 ${subject}.pdf`, documentKey: subject, score: 0.6 - at / 100 },
      });
    const question = [{ text: 'How did the inventory of Globex develop in the third quarter?', weight: 1 }];
    const found = extractAnswer([report('Initech', 0), report('Globex', 1)], question);
    expect([...(found?.cited ?? [])]).toEqual([1]);
    expect(extractAnswer([report('Initech', 0)], question)).toBeUndefined();
  });

  it.each([
    [
      'What is a glacier?',
      'Bring boots if you visit a glacier, and hire a guide. A guide knows the glacier.',
      'A glacier is a body of ice that moves. Many are old.',
      'A glacier is a body of ice that moves.',
    ],
    [
      'Was ist ein Gletscher?',
      'Für den Gletscher braucht man Stiefel. Der Führer kennt den Gletscher.',
      'Ein Gletscher ist eine Masse aus Eis. Viele sind alt.',
      'Ein Gletscher ist eine Masse aus Eis.',
    ],
    [
      'What is a glacier?',
      '| place | notes |\n|---|---|\n| glaciers | a guide is needed |',
      '| word | meaning |\n|---|---|\n| glacier | ice that moves |\n| moraine | stones beside it |',
      'word: glacier; meaning: ice that moves',
    ],
  ])(
    'extractAnswer answers %j only from the document with the definition, although another document has a higher score',
    (question, mention, definition, expected) => {
      const passages = [mention, definition].map((text, at) =>
        createScoredFragment(text, { documentKey: `document-${at}`, score: 0.4 - at / 100 }),
      );
      const found = extractAnswer(passages, [{ text: question, weight: 1 }]);
      expect(found?.text.startsWith(expected)).toBe(true);
      expect([...(found?.cited ?? [])]).toEqual([1]);
    },
  );

  it('extractAnswer begins the answer with the fragment that contains the best sentence', () => {
    const found = extractFrom('When does the museum open?', [
      'The museum will open a shop.',
      'The museum does open at ten. The museum does open late on Fridays.',
    ]);
    expect(found?.text).toMatch(/^The museum does open at ten\..*\n\nThe museum will open a shop\.$/);
  });

  it('extractAnswer omits the part of a sentence whose beginning is in another fragment', () => {
    const passage = 'and the warranty of the lamp is long. The warranty of the lamp lasts two years.';
    const question = [{ text: 'How long is the warranty of the lamp?', weight: 1 }];
    const found = extractAnswer([createScoredFragment(passage, { ordinal: 1 })], question);
    expect(found?.text).toBe('The warranty of the lamp lasts two years.');
  });
});
