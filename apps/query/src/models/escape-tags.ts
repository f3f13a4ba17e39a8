/**
 * Escapes opening and closing tags in a text, so that the text cannot leave its part of a prompt.
 *
 * @param names of the tags that enclose the parts of the prompt
 */
export function escapeTags(text: string, ...names: readonly string[]): string {
  return text.replace(new RegExp(String.raw`<(?=\s*/?\s*(?:${names.join('|')})\b)`, 'gi'), '&lt;');
}
