/** Parses the languages of scans as entered, such as `deu, eng`. Null: those of the installation. */
export function parseOcrLanguages(text: string): string[] | null {
  const languages = text.split(/[\s,;]+/).filter((language) => language !== '');
  return languages.length === 0 ? null : languages;
}

/** Formats the languages of scans for their field. */
export function formatOcrLanguages(languages: readonly string[] | null): string {
  return (languages ?? []).join(', ');
}
