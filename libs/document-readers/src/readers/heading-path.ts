/** The headings that a place in a document stands under, kept up while a reader goes through it. */
export class HeadingPath {
  #open: { readonly level: number; readonly text: string }[] = [];

  /** @param level from 1; a heading closes all of its own level and below */
  enter(level: number, text: string): void {
    this.#open = [...this.#open.filter((heading) => heading.level < level), { level, text }];
  }

  get texts(): readonly string[] {
    return this.#open.map((heading) => heading.text);
  }
}
