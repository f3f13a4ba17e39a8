import type { Block } from '../readers/block.js';
import type { Fragment } from '../splitting/fragment.js';
import { Splitter } from '../splitting/splitter.js';

/** Name of the documents that tests split. */
export const NAME = 'manual.md';

export function splitBlocks(blocks: readonly Block[], maxTokens = 64, overlapTokens = 16): readonly Fragment[] {
  const splitter = new Splitter(NAME, { maxTokens, overlapTokens });
  return [...blocks.flatMap((block) => [...splitter.addBlock(block)]), ...splitter.endDocument()];
}

export function createBlock(kind: Block['kind'], text: string, more: Partial<Block> = {}): Block {
  return { kind, text, headingPath: [], page: null, location: null, ...more };
}

/** Returns the text of a fragment without the characters at its start that repeat an earlier fragment. */
export function getUnrepeatedText(fragment: Fragment): string {
  return fragment.text.slice(fragment.repeated);
}
