/**
 * Parses OCR languages that the user typed, such as `deu, eng`. Returns null for an empty text: the datastore then uses
 * the default languages of the installation.
 */
export function parseOcrLanguages(text: string): string[] | null {
  const languages = text.split(/[\s,;]+/).filter((language) => language !== '');
  return languages.length === 0 ? null : languages;
}

/**
 * Formats OCR languages for the text field in the form of a datastore, such as `deu, eng`. Returns an empty text for
 * null.
 */
export function formatOcrLanguages(languages: readonly string[] | null): string {
  return (languages ?? []).join(', ');
}
