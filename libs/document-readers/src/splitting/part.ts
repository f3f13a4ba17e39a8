import type { Block } from '../readers/block.js';

/** A piece of a block on its way into a fragment. */
export interface Part {
  readonly block: Block;
  readonly text: string;
  readonly tokens: number;
  /** What stands between this part and the one before it. A further piece of a block brings its own white space. */
  readonly glue: string;
  /** Whether the text stands in the fragment before too. Such parts come first. */
  readonly repeated: boolean;
  /** Of a table whose rows have numbers: the first and last row in the part. */
  readonly rows: readonly [number, number] | null;
}

export const BETWEEN_BLOCKS = '\n\n';

/** A fragment's text, and how much of its start is repeated. */
export function joinParts(parts: readonly Part[]): { readonly text: string; readonly repeated: number } {
  let text = '';
  let repeated = 0;
  for (const [index, part] of parts.entries()) {
    text += index === 0 ? withoutLead(part) : part.glue + part.text;
    if (part.repeated) repeated = text.length;
  }
  return { text: text.trimEnd(), repeated: Math.min(repeated, text.trimEnd().length) };
}

/** The indentation of code is part of it. */
function withoutLead(part: Part): string {
  return part.block.kind === 'code' ? part.text.replace(/^\n+/, '') : part.text.trimStart();
}
