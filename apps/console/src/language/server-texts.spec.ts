import { readFileSync } from 'node:fs';
import { QuarryError } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { GERMAN_PROBLEMS } from './german-problem-texts.js';
import { GERMAN_REASONS } from './reason-texts.js';
import { RunFailure } from './run-failure.js';
import { createServerTexts } from './server-texts.js';

const DOCUMENT = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');

/** Lists the codes in the first column of the table in a section of docs/errors.md. */
function listCodes(heading: string): readonly string[] {
  const [, section = ''] = DOCUMENT.split(`## ${heading}`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code).toSorted();
}

describe('the German texts of the API', () => {
  it.each([
    ['Problems', GERMAN_PROBLEMS],
    ['Reasons', GERMAN_REASONS],
  ])('exactly the codes in the section “%s” of docs/errors.md have German texts', (heading, texts) => {
    const codes = listCodes(heading);
    expect(codes.length).toBeGreaterThan(50);
    expect(Object.keys(texts).toSorted()).toEqual(codes);
  });

  it('German texts replace the texts of the API only when the language is German', () => {
    const error = new QuarryError(409, 'nothing_to_cancel', 'No run is in progress, found the status synched.');
    const reason = { code: 'gone', message: 'The page was permanently removed.' };
    const [english, german] = [createServerTexts('en'), createServerTexts('de')];
    expect([english.describeProblem(error), english.describeReason(reason)]).toEqual([error.detail, reason.message]);
    expect(german.describeProblem(error)).toBe('Es läuft nichts, das abgebrochen werden kann.');
    expect(german.describeReason(reason)).toBe('Die Seite wurde dauerhaft entfernt.');
  });

  it('describeReason names a server that does not exist, and omits the request of a listing', () => {
    const problem = "expected 'exmaple.com' to have an address, found that the DNS query failed (ENOTFOUND)";
    const unknown = {
      code: 'listing_unreachable',
      message: `${problem} (GET https://exmaple.com/items.json?take=100)`,
    };
    const [english, german] = [createServerTexts('en'), createServerTexts('de')];
    expect(english.describeReason(unknown)).toBe('There is no server named exmaple.com.');
    expect(german.describeReason(unknown)).toBe('Es gibt keinen Server namens exmaple.com.');
    const slow = {
      code: 'listing_timeout',
      message: 'expected a response, found none (GET https://a.example/?take=1)',
    };
    expect(english.describeReason(slow)).toBe('Expected a response, found none');
    expect(german.describeReason(slow)).toBe('Die Liste hat nicht rechtzeitig geantwortet.');
  });

  it('describeProblem describes a failed run by its failure code, in the language of the console', () => {
    const failure = new RunFailure({ code: 'no_text_found', message: 'The document contains no text.' });
    expect(createServerTexts('en').describeProblem(failure)).toBe('The document contains no text.');
    expect(createServerTexts('de').describeProblem(failure)).toMatch(/^Es wurde kein Text gefunden/);
  });

  it('an API error with an unknown code is described by the text of the API, and an error of another kind by its message', () => {
    const { describeProblem, describeReason } = createServerTexts('de');
    expect(describeProblem(new QuarryError(409, 'new_code', 'Something new.'))).toBe('Something new.');
    expect(describeReason({ code: 'new_code', message: 'Something new.' })).toBe('Something new.');
    expect(describeReason({ code: null, message: 'Something.' })).toBe('Something.');
    expect(describeProblem(new Error('broken'))).toBe('broken');
  });

  it('the German text of a note on a run contains the parameters of the note', () => {
    const message = '1400 of 2000 known documents were not found again.';
    const parameters = { missing: 1400, known: 2000, examples: 'a, b, c' };
    const notes = [{ code: 'missing_documents_kept', parameters, message }];
    expect(createServerTexts('en').describeNotes({ notes })).toEqual([{ text: message, language: 'en' }]);
    expect(createServerTexts('de').describeNotes({ notes })).toEqual([
      {
        text: 'Nicht wiedergefunden oder jetzt ausgeschlossen: 1.400 von 2.000 Dokumenten. Nichts davon wird entfernt, bis Sie es bestätigen. Die ersten: a, b, c.',
        language: 'de',
      },
    ]);
  });

  it('the German text of the note `sitemap_incomplete` contains the German text of its reason code', () => {
    const parameters = { url: 'https://example.com/a.xml', others: 0, code: 'gone', reason: 'the page was removed' };
    const notes = [{ code: 'sitemap_incomplete', parameters, message: 'The sitemap could not be read.' }];
    expect(createServerTexts('de').describeNotes({ notes })).toEqual([
      {
        text: 'Die Sitemap https://example.com/a.xml konnte nicht vollständig gelesen werden: Die Seite wurde dauerhaft entfernt.',
        language: 'de',
      },
    ]);
  });

  it('the German texts of notes have singular and plural forms, and translate the problem of an invalid item', () => {
    const example = 'https://other.example/';
    const notes = [
      { code: 'foreign_pages_skipped', parameters: { pages: 1, example }, message: '' },
      { code: 'foreign_pages_skipped', parameters: { pages: 2_000, example }, message: '' },
      { code: 'dry_run_item_invalid', parameters: { problem: 'Item 4 is not valid: title is required' }, message: '' },
    ];
    expect(createServerTexts('de').describeNotes({ notes })).toEqual([
      {
        text: 'Übersprungen: 1 Seite anderer Websites in der Sitemap, zum Beispiel https://other.example/.',
        language: 'de',
      },
      {
        text: 'Übersprungen: 2.000 Seiten anderer Websites in der Sitemap, zum Beispiel https://other.example/.',
        language: 'de',
      },
      { text: 'Der Artikel 4 ist ungültig: title fehlt.', language: 'de' },
    ]);
  });

  it('describeReason capitalizes the reason of the API, unless it begins with a name', () => {
    const { describeReason } = createServerTexts('en');
    const describe = (message: string): string => describeReason({ code: 'gone', message });
    expect(describe('the page was removed')).toBe('The page was removed');
    expect(describe('robots.txt forbids it')).toBe('robots.txt forbids it');
    expect(describe('total_count is missing')).toBe('total_count is missing');
  });

  it.each([
    ['sheet Prices, rows 40–80', 'Blatt Prices, Zeilen 40–80'],
    ['row 3', 'Zeile 3'],
    ['slide 4 (hidden)', 'Folie 4 (ausgeblendet)'],
    ['slide footer', 'Fußzeile der Folien'],
    ['line 4', 'line 4'],
  ])('the position “%s” of a passage is described in the language of the console', (english, german) => {
    expect(createServerTexts('en').describeLocation(english)).toBe(english);
    expect(createServerTexts('de').describeLocation(english)).toBe(german);
  });

  it('for a note that has no German text, describeNotes returns the English text', () => {
    const notes = [
      { code: null, parameters: {}, message: 'Something of an earlier version.' },
      { code: 'dry_run_item_invalid', parameters: { problem: 'x' }, message: 'Item 1 is not valid: x.' },
      { code: 'site_stopped_responding', parameters: {}, message: 'The site stopped responding.' },
      { code: 'crawl_out_of_time', parameters: {}, message: 'The crawl exceeded its time limit.' },
    ];
    expect(createServerTexts('de').describeNotes({ notes })).toEqual([
      { text: 'Something of an earlier version.', language: 'en' },
      { text: 'Item 1 is not valid: x.', language: 'en' },
      { text: 'Die Website hat nicht mehr geantwortet.', language: 'de' },
      { text: 'Der Crawl hat seine Zeitgrenze überschritten.', language: 'de' },
    ]);
    expect(
      createServerTexts('en')
        .describeNotes({ notes })
        .map(({ language }) => language),
    ).toEqual(notes.map(() => 'en'));
    expect(createServerTexts('de').describeNotes({ notes: [] })).toEqual([]);
  });
});
