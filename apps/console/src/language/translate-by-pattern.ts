/** German texts for patterns of English texts. A German text can refer to the groups of its pattern, such as `$1`. */
export type PatternTexts = readonly (readonly [english: RegExp, german: string])[];

/** German texts for descriptions of values by their type. Other values are shown unchanged. */
const VALUES: PatternTexts = [
  [/^a string$/, 'ein Text'],
  [/^a number$/, 'eine Zahl'],
  [/^an object$/, 'ein Objekt'],
  [/^no valid URL$/, 'keine gültige Adresse'],
  [/^true or false$/, 'true oder false'],
  [/^a list of (\d+)$/, 'eine Liste der Länge $1'],
];

/** Translates a text with the first pattern that matches it. Returns undefined if none matches. */
export function translateByPattern(texts: PatternTexts, english: string): string | undefined {
  const [pattern, german] = texts.find(([candidate]) => candidate.test(english)) ?? [];
  return pattern === undefined || german === undefined ? undefined : english.replace(pattern, german);
}

/** Translates the description of the found value in a problem of a field. */
export function translateFoundValue(value: string): string {
  return translateByPattern(VALUES, value) ?? value;
}
