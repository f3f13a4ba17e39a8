/** A run of text without a wide gap: a whole line of prose, or a cell of a table. */
export interface Segment {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** What stands a little apart in it, where there is such: the names of columns that are close to each other. */
  readonly parts?: readonly Segment[];
}
