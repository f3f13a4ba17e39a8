import { countTokens } from '@quarry/text-analysis/tokens';
import type { Block } from '../readers/block.js';
import type { Piece } from './cut.js';

/** The lines that name a table's columns, and the rows below them. */
export interface TableHeader {
  readonly piece: Piece;
  readonly body: string;
}

/** @returns null when the block has none, or one that would take half of every fragment: then it is a row like any other */
export function tableHeader(block: Block, maxTokens: number): TableHeader | null {
  if (block.kind !== 'table' || block.headerLines === undefined || block.headerLines === 0) return null;
  const lines = block.text.split('\n');
  const text = lines.slice(0, block.headerLines).join('\n');
  const tokens = countTokens(text);
  const body = lines.slice(block.headerLines).join('\n');
  return tokens * 2 > maxTokens || body === '' ? null : { piece: { text, tokens }, body };
}
