export type BlockKind = 'heading' | 'text' | 'list' | 'table' | 'code';

/** A piece of a document as its reader found it. */
export interface Block {
  readonly kind: BlockKind;
  /** Plain text or Markdown, never empty. A table has one row a line. */
  readonly text: string;
  /** What the block stands under, outermost first. A heading's own text is the last of its path. */
  readonly headingPath: readonly string[];
  /** Counted from 1; null where the document has no pages. */
  readonly page: number | null;
  /** Where in the document it is, for people: `sheet Prices`. Null where page or nothing says it. */
  readonly location: string | null;
  /** Of JSON: which value the block is or begins in, as RFC 6901 writes it. */
  readonly pointer?: string;
  /** Of a heading, from 1. */
  readonly level?: number;
  /** Of a table: how many of its first lines name the columns. They are repeated wherever the table is cut. */
  readonly headerLines?: number;
  /** Of a table: the number by which people know its first line below the header, such as a sheet's row. */
  readonly firstRow?: number;
}
