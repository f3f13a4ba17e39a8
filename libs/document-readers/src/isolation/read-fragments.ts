import { readFile } from 'node:fs/promises';
import type { FileType } from '@quarry/file-types';
import type { Block } from '../readers/block.js';
import { normalizeForStorage } from '../readers/normalize-for-storage.js';
import { determineFileType } from '../readers/determine-file-type.js';
import { loadReader } from '../readers/load-reader.js';
import { ReadingFailed, type ReadingReports } from '../readers/reader.js';
import { realignTextRectangles } from '../readers/text-rectangle.js';
import type { RecognizedPage } from '../readers/recognized-page.js';
import type { Fragment } from '../splitting/fragment.js';
import { Splitter } from '../splitting/splitter.js';
import type { ReadRequest } from './reader-messages.js';

/** Reads a file and splits it into fragments. @throws ReadingFailed */
export async function* readFragments(
  { path, file, splitting, maxCharacters, recognizedPages }: ReadRequest,
  reports: ReadingReports,
): AsyncGenerator<Fragment> {
  const bytes = await readFile(path);
  const type = determineFileType(file, bytes);
  const splitter = new Splitter(normalizeIntoOneLine(file.name), splitting);
  let characters = 0;
  for await (const block of readBlocks(type, bytes, reports, recognizedPages)) {
    characters += block.text.length;
    if (characters > maxCharacters) {
      throw new ReadingFailed(
        'text_too_large',
        `The text of the file is over the limit of ${maxCharacters} characters.`,
      );
    }
    yield* splitter.addBlock(block);
  }
  yield* splitter.endDocument();
}

async function* readBlocks(
  type: FileType,
  bytes: Uint8Array,
  reports: ReadingReports,
  recognizedPages: readonly RecognizedPage[] | undefined,
): AsyncGenerator<Block> {
  const read = await loadReader(type);
  try {
    for await (const block of read(bytes, reports, recognizedPages)) {
      const text = normalizeForStorage(block.text);
      if (text.trim() === '') continue;
      const rectangles = block.rectangles && { rectangles: realignTextRectangles(block.rectangles, block.text, text) };
      yield { ...block, text, headingPath: block.headingPath.map(normalizeIntoOneLine), ...rectangles };
    }
  } catch (error) {
    if (error instanceof ReadingFailed) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ReadingFailed('file_unreadable', `The ${type.toUpperCase()} file cannot be read: ${reason}`, {
      cause: error,
    });
  }
}

function normalizeIntoOneLine(text: string): string {
  return normalizeForStorage(text).replace(/\s+/g, ' ').trim();
}
