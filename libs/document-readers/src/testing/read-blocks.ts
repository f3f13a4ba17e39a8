import type { Block } from '../readers/block.js';
import type { PageReport, Reader, ReadingProgress } from '../readers/reader.js';
import type { RecognizedPage } from '../readers/recognized-page.js';

/** Reads all blocks of a file, and returns them with the reported progress and pages. */
export async function readBlocks(
  reader: Reader,
  content: string | Uint8Array,
  recognizedPages?: readonly RecognizedPage[],
): Promise<{
  readonly blocks: readonly Block[];
  readonly progress: readonly ReadingProgress[];
  readonly pages: PageReport | undefined;
}> {
  const progress: ReadingProgress[] = [];
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const blocks: Block[] = [];
  let pages: PageReport | undefined;
  const reports = {
    onProgress: (step: ReadingProgress) => progress.push(step),
    onPages: (report: PageReport) => (pages = report),
  };
  for await (const block of reader(bytes, reports, recognizedPages)) blocks.push(block);
  return { blocks, progress, pages };
}

/** Formats each block as a line, such as `[Chapter › Part] list: - one`. */
export function formatBlocks(blocks: readonly Block[]): readonly string[] {
  return blocks.map((block) => `[${block.headingPath.join(' › ')}] ${block.kind}: ${block.text}`);
}
