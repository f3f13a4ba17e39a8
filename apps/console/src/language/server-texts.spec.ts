import { readFileSync } from 'node:fs';
import { QuarryError } from '@quarry/client';
import { describe, expect, it } from 'vitest';
import { GERMAN_PROBLEMS } from './problem-texts.js';
import { GERMAN_REASONS } from './reason-texts.js';
import { createServerTexts } from './server-texts.js';

const DOCUMENT = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');

/** Lists the codes in the first column of the table of a section. */
function listCodes(heading: string): readonly string[] {
  const [, section = ''] = DOCUMENT.split(`## ${heading}`);
  const [table = ''] = section.split('\n## ');
  return [...table.matchAll(/^\| `(\w+)`/gm)].map(([, code = '']) => code).toSorted();
}

describe('the German texts of the API', () => {
  it.each([
    ['Problems', GERMAN_PROBLEMS],
    ['Reasons', GERMAN_REASONS],
  ])('a German text exists for every documented code: %s', (heading, texts) => {
    const codes = listCodes(heading);
    expect(codes.length).toBeGreaterThan(50);
    expect(Object.keys(texts).toSorted()).toEqual(codes);
  });

  it('German texts replace the texts of the API in German only', () => {
    const error = new QuarryError(409, 'nothing_to_cancel', 'No run is in progress, found the status synched.');
    const reason = { code: 'gone', message: 'The page was permanently removed.' };
    const [english, german] = [createServerTexts('en'), createServerTexts('de')];
    expect([english.describeProblem(error), english.describeReason(reason)]).toEqual([error.detail, reason.message]);
    expect(german.describeProblem(error)).toBe('Es läuft nichts, das abgebrochen werden kann.');
    expect(german.describeReason(reason)).toBe('Die Seite wurde dauerhaft entfernt.');
  });

  it('an unknown code keeps the text of the API, and another error its message', () => {
    const { describeProblem, describeReason } = createServerTexts('de');
    expect(describeProblem(new QuarryError(409, 'new_code', 'Something new.'))).toBe('Something new.');
    expect(describeReason({ code: 'new_code', message: 'Something new.' })).toBe('Something new.');
    expect(describeReason({ code: null, message: 'Something.' })).toBe('Something.');
    expect(describeProblem(new Error('broken'))).toBe('broken');
  });

  it('German describes missing documents with the numbers of the run, and keeps the note', () => {
    const note = '1400 of 2000 known documents were not found again.';
    const removal = { documents: 1400, of: 2000, threshold: 0.3, needsConfirmation: true };
    const [english, german] = [createServerTexts('en'), createServerTexts('de')];
    expect(english.describeNote({ note, removal })).toEqual({ text: note, language: 'en', original: undefined });
    expect(german.describeNote({ note, removal })).toEqual({
      text: 'Nicht wiedergefunden oder jetzt ausgeschlossen: 1.400 von 2.000 Dokumenten. Nichts davon wird entfernt, bis Sie es bestätigen.',
      language: 'de',
      original: note,
    });
  });

  it('a note without a code stays English in both languages', () => {
    const note = 'The site stopped responding.';
    const removed = { documents: 1, of: 20, threshold: 0.3, needsConfirmation: false };
    for (const { describeNote } of [createServerTexts('en'), createServerTexts('de')]) {
      expect(describeNote({ note, removal: null })).toEqual({ text: note, language: 'en', original: undefined });
      expect(describeNote({ note, removal: removed })?.text).toBe(note);
      expect(describeNote({ note: null, removal: removed })).toBeUndefined();
    }
  });
});
