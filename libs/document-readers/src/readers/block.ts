import type { TextRectangle } from './text-rectangle.js';

export type BlockKind = 'heading' | 'text' | 'list' | 'table' | 'code';

/** Describes the position of a block in its document. */
export type BlockPosition = Pick<Block, 'headingPath' | 'page' | 'location'>;

/**
 * Describes a part of a document: a heading, a paragraph, a list, a table or code. The reader of the file type yields
 * it.
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
   * Human-readable location in the document, such as `sheet Prices`; null if page and headings are the only location.
   */
  readonly location: string | null;
  /** JSON pointer (RFC 6901) to the value in which the block begins. Absent for file types other than JSON. */
  readonly pointer?: string;
  /** Level of a heading, from 1. Absent for blocks of other kinds. */
  readonly level?: number;
  /** Number of header lines of a table. Splitting repeats these lines in each part of the table. */
  readonly headerLines?: number;
  /**
   * Rectangles of the text on its pages, in the order of the text. Several rectangles can begin at one character.
   * Absent without pages.
   */
  readonly rectangles?: readonly TextRectangle[];
  /** Row number of the first line below the header of a table, as in a sheet. */
  readonly firstRow?: number;
}
