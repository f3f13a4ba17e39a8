/**
 * Patterns that match English texts, each with the German text. A German text can refer to groups of its pattern, such
 * as `$1`.
 */
export type PatternTexts = readonly (readonly [english: RegExp, german: string])[];

/** German texts for the API's descriptions of values, such as `a string`. Other values are shown unchanged. */
const VALUES: PatternTexts = [
  [/^a string$/, 'ein Text'],
  [/^a number$/, 'eine Zahl'],
  [/^an object$/, 'ein Objekt'],
  [/^no valid URL$/, 'keine gültige Adresse'],
  [/^true or false$/, 'true oder false'],
  [/^a list of (\d+)$/, 'eine Liste der Länge $1'],
];

/** Translates an English text with the first pattern that matches it. Returns undefined if no pattern matches. */
export function translateByPattern(texts: PatternTexts, english: string): string | undefined {
  const [pattern, german] = texts.find(([candidate]) => candidate.test(english)) ?? [];
  return pattern === undefined || german === undefined ? undefined : english.replace(pattern, german);
}

/** Translates into German the description of the value that the API found in a field, such as `a string`. */
export function translateFoundValue(value: string): string {
  return translateByPattern(VALUES, value) ?? value;
}
