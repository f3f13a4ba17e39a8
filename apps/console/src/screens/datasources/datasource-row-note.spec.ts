import type { Datasource } from '@quarry/client';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LanguageProvider } from '../../language/language-context.js';
import { DatasourceRowNote } from './datasource-row-note.js';

const RETRIED = {
  ...{ code: 'listing_timeout', message: 'The catalogue did not answer within 30 s.' },
  ...{ attempt: 2, nextAttemptAt: '2026-11-27T10:00:00.000Z', documentKey: null },
};
const MISSING = {
  code: 'missing_documents_kept',
  parameters: { missing: 14, known: 19, examples: 'a, b, c' },
  message: '14 of 19 known documents are missing.',
};

/** Renders the line below the name of a datasource in a browser with this preferred language. */
function renderNote(language: string, fields: object): string {
  vi.stubGlobal('navigator', { languages: [language] });
  const datasource = { type: 'item_listing', error: null, ...fields } as Datasource; // the note reads no other field
  return renderToStaticMarkup(createElement(LanguageProvider, null, createElement(DatasourceRowNote, { datasource })));
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the line below the name of a datasource', () => {
  it.each([
    ['en-GB', 'The file is protected by a password. Remove the password and upload the file again.'],
    [
      'de-DE',
      'Die Datei ist mit einem Kennwort geschützt. Entfernen Sie das Kennwort und laden Sie die Datei erneut hoch.',
    ],
  ])('DatasourceRowNote shows the reason of a failure and the next step in the language %s', (language, text) => {
    const error = { code: 'file_encrypted', message: 'the file is protected by a password' };
    const note = renderNote(language, { status: 'error', error, run: null });
    expect(note).toContain(`>${text}<`);
    expect(note).toContain(`title="${text}"`);
  });

  it('DatasourceRowNote omits a next step that only the screen of the datasource explains', () => {
    const error = { code: 'all_documents_failed', message: 'No document could be indexed.' };
    expect(renderNote('en-GB', { status: 'error', error, run: null })).toContain('>No document could be indexed.<');
  });

  it.each([
    ['en-GB', RETRIED.message],
    ['de-DE', 'Die Liste hat nicht rechtzeitig geantwortet.'],
  ])('DatasourceRowNote shows the reason of a retry in the language %s', (language, text) => {
    const note = renderNote(language, { status: 'running', run: { lastError: RETRIED, note: null, notes: [] } });
    expect(note).toContain(`>${text}<`);
    expect(note).toContain(`title="${RETRIED.message}"`);
  });

  it.each([
    ['en-GB', '14 of 19 known documents are missing.'],
    ['de-DE', 'Nicht wiedergefunden oder jetzt ausgeschlossen: 14 von 19 Dokumenten.'],
  ])('DatasourceRowNote shows the note on missing documents in the language %s', (language, text) => {
    const run = { lastError: null, note: MISSING.message, notes: [MISSING] };
    expect(renderNote(language, { status: 'synched', run })).toContain(`lang="${language.slice(0, 2)}"`);
    expect(renderNote(language, { status: 'synched', run })).toContain(`>${text}`);
  });

  it.each([
    ['en-GB', 'Item listing'],
    ['de-DE', 'Artikelliste'],
  ])(
    'if a datasource has no run, DatasourceRowNote shows the type of the datasource in the language %s',
    (language, text) => {
      expect(renderNote(language, { status: 'unsynched', run: null })).toContain(`>${text}<`);
    },
  );
});
