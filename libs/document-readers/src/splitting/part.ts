import type { Block } from '../readers/block.js';

/** Describes a piece of a block, as part of a fragment. */
export interface Part {
  readonly block: Block;
  readonly text: string;
  readonly tokens: number;
  /** Separates this part from the part before. Further pieces of a block contain their own white space. */
  readonly separator: string;
  /** The text repeats the fragment before. Such parts come first. */
  readonly repeated: boolean;
  /** For a table with numbered rows: the first and last row in the part. */
  readonly rows: readonly [number, number] | null;
}

export const BETWEEN_BLOCKS = '\n\n';

/** Joins parts into the text of a fragment. `repeated` counts the characters that repeat the fragment before. */
export function joinParts(parts: readonly Part[]): { readonly text: string; readonly repeated: number } {
  let text = '';
  let repeated = 0;
  for (const [index, part] of parts.entries()) {
    text += index === 0 ? trimLeadingSpace(part) : part.separator + part.text;
    if (part.repeated) repeated = text.length;
  }
  return { text: text.trimEnd(), repeated: Math.min(repeated, text.trimEnd().length) };
}

/** Removes leading white space, except the indentation of code. */
function trimLeadingSpace(part: Part): string {
  return part.block.kind === 'code' ? part.text.replace(/^\n+/, '') : part.text.trimStart();
}
