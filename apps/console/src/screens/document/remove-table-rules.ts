/** Removes the separator lines of Markdown tables from a text, such as `|---|---|`. */
export function removeTableRules(text: string): string {
  return text.replace(/^[ \t]*\|(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*(?:\n|$)/gm, '');
}
