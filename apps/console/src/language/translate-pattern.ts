/** German texts for English texts. A text can refer to the groups of its pattern. */
export type PatternTexts = readonly (readonly [english: RegExp, german: string])[];

/** German texts for values that are described by their type. Other values are shown as they are. */
const VALUES: PatternTexts = [
  [/^a string$/, 'ein Text'],
  [/^a number$/, 'eine Zahl'],
  [/^an object$/, 'ein Objekt'],
  [/^no valid URL$/, 'keine gültige Adresse'],
  [/^true or false$/, 'true oder false'],
  [/^a list of (\d+)$/, 'eine Liste der Länge $1'],
];

/** Translates a text by the first pattern that matches. Returns undefined if none does. */
export function translatePattern(texts: PatternTexts, english: string): string | undefined {
  const [pattern, german] = texts.find(([candidate]) => candidate.test(english)) ?? [];
  return pattern === undefined || german === undefined ? undefined : english.replace(pattern, german);
}

/** Translates the value that a problem of a field describes. */
export function translateValue(value: string): string {
  return translatePattern(VALUES, value) ?? value;
}
