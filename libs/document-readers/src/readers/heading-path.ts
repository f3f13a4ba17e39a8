/** Tracks the headings above the current position of a document. */
export class HeadingPath {
  #open: { readonly level: number; readonly text: string }[] = [];

  /** Adds a heading to the path. Removes the headings of the same and of lower levels first. @param level from 1 */
  enterHeading(level: number, text: string): void {
    this.#open = [...this.#open.filter((heading) => heading.level < level), { level, text }];
  }

  get texts(): readonly string[] {
    return this.#open.map((heading) => heading.text);
  }
}
