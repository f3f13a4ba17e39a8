import type { TextRectangle } from './text-rectangle.js';

export type BlockKind = 'heading' | 'text' | 'list' | 'table' | 'code';

/** Describes the position of a block in its document. */
export type BlockPosition = Pick<Block, 'headingPath' | 'page' | 'location' | 'emptyRows'>;

/**
 * Describes a part of a document: a heading, a paragraph, a list, a table or code. The reader of each file type yields
 * such blocks.
 */
export interface Block {
  readonly kind: BlockKind;
  /** Plain text or Markdown, never empty. A table has one row per line. */
  readonly text: string;
  /** The headings above the block, outermost first. The path of a heading ends with the heading itself. */
  readonly headingPath: readonly string[];
  /** Page number, from 1; null if the document has no pages. */
  readonly page: number | null;
  /**
   * Human-readable location in the document, such as `sheet Prices`; null if only `page` and `headingPath` state the
   * location.
   */
  readonly location: string | null;
  /** JSON pointer (RFC 6901) to the value in which the block begins. Absent for file types other than JSON. */
  readonly pointer?: string;
  /** Level of a heading, from 1. Absent for blocks of other kinds. */
  readonly level?: number;
  /**
   * Number of lines at the start of a table that are its header. If the table is split, each part repeats these lines.
   */
  readonly headerLines?: number;
  /** Rectangles that the text covers on its pages, in the order of the text. Absent if the document has no pages. */
  readonly rectangles?: readonly TextRectangle[];
  /**
   * Number of the first table row below the header, counted from 1 in the sheet or file without `emptyRows`. Absent if
   * the rows have no numbers.
   */
  readonly firstRow?: number;
  /** Numbers, in ascending order, of the empty rows of the sheet or file that the text omits. */
  readonly emptyRows?: readonly number[];
}
