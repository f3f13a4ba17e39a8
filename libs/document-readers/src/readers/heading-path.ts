/** Tracks the headings above the current position of a document. */
export class HeadingPath {
  #open: { readonly level: number; readonly text: string }[] = [];

  /**
   * Adds a heading to the path, after removing the headings of the same and of deeper levels.
   *
   * @param level level of the heading, from 1 for the highest level; 0 for the title of the document
   */
  enterHeading(level: number, text: string): void {
    this.#open = [...this.#open.filter((heading) => heading.level < level), { level, text }];
  }

  get texts(): readonly string[] {
    return this.#open.map((heading) => heading.text);
  }
}
