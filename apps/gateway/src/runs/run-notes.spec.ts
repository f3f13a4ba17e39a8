import { expect, it } from 'vitest';
import type { RunRow } from '../database/tables/runs.js';
import { addUndecodedNote } from './run-notes.js';

it('names the first five documents with text that could not be decoded', () => {
  let run = { note: null } as RunRow; // the function reads no other column
  for (let index = 1; index <= 8; index += 1)
    run = addUndecodedNote(run, { undecodedPages: 2, pages: 4 }, `File ${index}`);
  expect(run.note?.match(/File \d: 2 of 4 pages have text that could not be decoded\./g)).toHaveLength(5);
  expect(run.note?.endsWith('Other documents also have text that could not be decoded.')).toBe(true);
  expect(addUndecodedNote(run, {})).toBe(run);
});
