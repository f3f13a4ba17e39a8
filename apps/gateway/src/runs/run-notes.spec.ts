import { expect, it } from 'vitest';
import type { RunRow } from '../database/tables/runs.js';
import { addPageNotes } from './run-notes.js';

it('a note names the first five documents with text that could not be decoded', () => {
  let run = { note: null } as RunRow; // the function reads no other column
  for (let index = 1; index <= 8; index += 1) run = addPageNotes(run, { undecodedPages: 2, pages: 4 }, `File ${index}`);
  expect(run.note?.match(/File \d: 2 of 4 pages have text that could not be decoded\./g)).toHaveLength(5);
  expect(run.note?.endsWith('Other documents also have text that could not be decoded.')).toBe(true);
  expect(addPageNotes(run, {})).toBe(run);
});

it('a note states the number of pages that are images without recognized text', () => {
  const run = { note: null } as RunRow; // the function reads no other column
  expect(addPageNotes(run, { imagePages: 3, pages: 4 }).note).toBe(
    '3 of 4 pages have an image whose text was not recognized.',
  );
});

it('a note states the number of pages with recognized text, and the confidence', () => {
  const run = { note: null } as RunRow; // the function reads no other column
  expect(addPageNotes(run, { recognizedPages: 1, recognitionConfidence: 93, undecodedPages: 2, pages: 4 }).note).toBe(
    '2 of 4 pages have text that could not be decoded. 1 of 4 pages has text that was recognized in images, with a confidence of 93 %.',
  );
  expect(addPageNotes(run, { recognizedPages: 4, pages: 4 }, 'Scan').note).toBe(
    'Scan: 4 of 4 pages have text that was recognized in images.',
  );
});
