import type { Block } from '../readers/block.js';
import type { Reader, ReadingProgress } from '../readers/reader.js';

/** Reads all blocks of a file, with the reported progress. */
export async function readBlocks(
  reader: Reader,
  content: string | Uint8Array,
): Promise<{ readonly blocks: readonly Block[]; readonly progress: readonly ReadingProgress[] }> {
  const progress: ReadingProgress[] = [];
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const blocks: Block[] = [];
  for await (const block of reader(bytes, (step) => progress.push(step))) blocks.push(block);
  return { blocks, progress };
}

/** Formats each block as a line, such as `[Chapter › Part] list: - one`. */
export function formatBlocks(blocks: readonly Block[]): readonly string[] {
  return blocks.map((block) => `[${block.headingPath.join(' › ')}] ${block.kind}: ${block.text}`);
}
