/** A passage of a document, ready to be embedded and stored. */
export interface Fragment {
  readonly text: string;
  /** What the passage stands under: the document's name, then headings. */
  readonly context: string;
  readonly page: number | null;
  readonly location: string | null;
  readonly tokens: number;
  /** How many characters at the start of `text` stand in the fragment before it too: overlap, or a table's header. */
  readonly repeated: number;
}
