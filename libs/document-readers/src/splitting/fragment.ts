/** Describes a chunk of a document, ready for embedding and storage. */
export interface Fragment {
  readonly text: string;
  /** The document's name and the headings above the text. */
  readonly context: string;
  readonly page: number | null;
  readonly location: string | null;
  readonly tokens: number;
  /** Number of characters at the start of `text` that repeat the fragment before: overlap, or the header of a table. */
  readonly repeated: number;
}
