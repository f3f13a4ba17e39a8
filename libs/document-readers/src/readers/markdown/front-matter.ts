const FRONT_MATTER = /^(---|\+\+\+)\n([\s\S]*?)\n\1(?:\n|$)/;
/** What a line of YAML or TOML begins with. Other text between two lines across the page is text. */
const IS_DATA = /^\s*(?:#|\[|[\w"'-][\w"' .-]*\s*[:=](?:\s|$))/;
const TITLE = /^title\s*[:=]\s*(.+)$/im;
const QUOTED = /^(["'])(.*)\1$/;

/** A document without the data about it that some tools write above it, and its title by that data. */
export function withoutFrontMatter(markdown: string): { readonly title: string | undefined; readonly body: string } {
  const [all = '', , data = ''] = FRONT_MATTER.exec(markdown) ?? [];
  if (!IS_DATA.test(data)) return { title: undefined, body: markdown };
  const written = TITLE.exec(data)?.[1]?.trim() ?? '';
  const title = QUOTED.exec(written)?.[2] ?? written;
  // `|` and `>` begin a text of several lines.
  return { title: /^[|>]?-?$/.test(title) ? undefined : title, body: markdown.slice(all.length) };
}
