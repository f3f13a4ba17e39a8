import type { RunNote } from '@quarry/contracts';
import { expect, it } from 'vitest';
import type { RunRow } from '../database/tables/runs.js';
import { addPageNotes, addTruncationNote, parseReportedNotes } from './run-notes.js';

it('the note of a run names the first five documents with text that could not be decoded', () => {
  let run = { note: null, notes: null } as RunRow; // the function reads no other column
  for (let index = 1; index <= 8; index += 1) run = addPageNotes(run, { undecodedPages: 2, pages: 4 }, `File ${index}`);
  expect(run.note?.match(/File \d: 2 of 4 pages have text that could not be decoded\./g)).toHaveLength(5);
  expect(run.note?.endsWith('Other documents also have text that could not be decoded.')).toBe(true);
  expect(addPageNotes(run, {})).toBe(run);
  expect(run.notes?.map(({ code }) => code)).toEqual([
    ...Array<string>(5).fill('pages_undecoded'),
    'more_pages_undecoded',
  ]);
});

it('the note of a run states the number of pages with an image whose text was not recognized', () => {
  const run = { note: null, notes: null } as RunRow; // the function reads no other column
  expect(addPageNotes(run, { imagePages: 3, pages: 4 }).note).toBe(
    '3 of 4 pages have an image whose text was not recognized.',
  );
});

it('the note of a run states the number of pages with recognized text, and the confidence of the recognition', () => {
  const run = { note: null, notes: null } as RunRow; // the function reads no other column
  expect(addPageNotes(run, { recognizedPages: 1, recognitionConfidence: 93, undecodedPages: 2, pages: 4 }).note).toBe(
    '2 of 4 pages have text that could not be decoded. 1 of 4 pages has text that was recognized in images, with a confidence of 93 %.',
  );
  expect(addPageNotes(run, { recognizedPages: 4, pages: 4 }, 'Scan').note).toBe(
    'Scan: 4 of 4 pages have text that was recognized in images.',
  );
});

it('the note of a run has a code and the parameters of its message', () => {
  const run = { note: null, notes: null } as RunRow; // the functions read no other column
  const { notes } = addPageNotes(run, { recognizedPages: 4, recognitionConfidence: 93, pages: 4 }, 'Scan');
  expect(notes).toMatchObject([
    { code: 'pages_recognized', parameters: { count: 4, pages: 4, confidence: 93, document: 'Scan' } },
  ]);
  const truncated = addTruncationNote({ ...run, truncatedFragments: 3, truncatedDocuments: 2 });
  expect(truncated.notes).toMatchObject([{ code: 'fragments_truncated', parameters: { fragments: 3, documents: 2 } }]);
  expect(truncated.notes?.map(({ message }) => message)).toEqual([truncated.note]);
});

it('a note from a worker of another version keeps its message, and gets the code null if this version does not support its code', () => {
  expect(parseReportedNotes({})).toEqual([]);
  const message = 'The site is empty.';
  expect(parseReportedNotes({ note: message })).toEqual([{ code: null, parameters: {}, message }]);
  const unknown = { code: 'a_newer_code', parameters: { pages: 2, nested: {} }, message };
  // A newer worker can send codes and values that this version does not support.
  const notes = [unknown] as unknown as readonly RunNote[];
  expect(parseReportedNotes({ note: message, notes })).toEqual([{ code: null, parameters: { pages: 2 }, message }]);
});
