/** Matches a line of a list without text, which is empty or only a marker. */
const EMPTY_ITEM = /^(?:-|\d+\.)?$/;
/** Maximum length of the text of a link in a list, in characters. A longer link is one whose end tag is missing. */
const MAX_LINK_TEXT = 10_000;

/** Collects the text of a block: the lines of a list, and links. */
export class BlockText {
  /**
   * The complete lines of the current list before `#buffer`. They are not in `#buffer`, so that long lists are built in
   * linear time.
   */
  readonly #lines: string[] = [];
  #buffer = '';
  /**
   * Range of the last list marker in `#buffer`, in UTF-16 units. Undefined if `#buffer` contains no marker to remove.
   */
  #marker: { readonly start: number; readonly end: number } | undefined;
  readonly #links: { start: number; readonly address: string }[] = [];

  append(text: string): void {
    this.#buffer += text;
  }

  openLink(address: string): void {
    this.#links.push({ start: this.#buffer.length, address });
  }

  /** Ends the innermost open link. A link to a web address with other words becomes a Markdown link. */
  closeLink(): void {
    const link = this.#links.pop();
    if (link === undefined || link.start > this.#buffer.length) return;
    const words = this.#buffer.slice(link.start).trim();
    const isAddress = /^https?:\/\//i.test(link.address) && words !== '' && words !== link.address;
    if (isAddress) this.#buffer = `${this.#buffer.slice(0, link.start)}[${words}](${link.address})`;
  }

  /** Ends the current line of a list, and begins an item with a marker. */
  startItem(start: string): void {
    this.#startLine(start);
    this.#marker = { start: this.#buffer.length - start.length, end: this.#buffer.length };
  }

  /** Ends the current line of a list unless it has no text, and begins the next one. */
  startLineIfFilled(start: string): void {
    const line = this.#buffer.slice(this.#buffer.lastIndexOf('\n') + 1).trim();
    if (!EMPTY_ITEM.test(line)) this.#startLine(start);
  }

  /** Removes the marker of the current list item if the item has no text. @returns whether it did */
  dropEmptyItem(): boolean {
    const marker = this.#marker;
    if (marker === undefined || this.#buffer.slice(marker.end).trim() !== '') return false;
    this.#buffer = this.#buffer.slice(0, marker.start);
    this.#marker = undefined;
    if (this.#buffer === '') {
      // The line before the item continues.
      this.#buffer = this.#lines.pop() ?? '';
      for (const link of this.#links) link.start += this.#buffer.length;
    }
    return true;
  }

  /** Removes the text of the current line. */
  clearLine(): void {
    this.#buffer = '';
  }

  /** Removes all text, and returns it. */
  takeAll(): string {
    const text = this.#lines.splice(0).join('') + this.#buffer;
    this.#buffer = '';
    this.#marker = undefined;
    this.#links.splice(0);
    return text;
  }

  #startLine(start: string): void {
    const text = this.#buffer.trimEnd();
    const [outermost] = this.#links;
    if (outermost !== undefined && text.length - outermost.start > MAX_LINK_TEXT) this.#links.splice(0);
    // An open link continues in the next line, so its text must stay in the buffer.
    if (this.#links.length > 0) {
      this.#buffer = text + start;
      return;
    }
    if (text !== '') this.#lines.push(text);
    this.#buffer = start;
    this.#marker = undefined;
  }
}
