/** Describes a passage of a document, for embedding and storage. */
export interface Fragment {
  readonly text: string;
  /** The document's name and the headings above the text. */
  readonly context: string;
  /** Page on which the text after the repeated characters begins, from 1. Null if the document has no pages. */
  readonly page: number | null;
  readonly location: string | null;
  /**
   * Rectangles that cover the text on its pages: one per line, or one for several lines if the text has many lines.
   * Each rectangle has five integers: the page, from 1, then x, y, width and height. These four are in ten-thousandths
   * of the displayed page, from its upper left corner. The displayed page is the page after its rotation and within its
   * crop box. Empty if the document has no pages.
   */
  readonly rectangles: readonly number[];
  readonly tokens: number;
  /** Number of characters at the start of `text` that repeat an earlier fragment: overlap, or the header of a table. */
  readonly repeated: number;
}
