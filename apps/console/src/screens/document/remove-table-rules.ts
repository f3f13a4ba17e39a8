/** Removes the lines between the head and the rows of Markdown tables, such as `|---|---|`. */
export function removeTableRules(text: string): string {
  return text.replace(/^[ \t]*\|(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*(?:\n|$)/gm, '');
}
