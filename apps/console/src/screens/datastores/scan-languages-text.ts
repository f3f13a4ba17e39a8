/**
 * Parses the OCR languages as entered, such as `deu, eng`. Returns null for an empty text: the languages of the
 * installation.
 */
export function parseOcrLanguages(text: string): string[] | null {
  const languages = text.split(/[\s,;]+/).filter((language) => language !== '');
  return languages.length === 0 ? null : languages;
}

/** Formats the OCR languages for their field, such as `deu, eng`; null as an empty text. */
export function formatOcrLanguages(languages: readonly string[] | null): string {
  return (languages ?? []).join(', ');
}
