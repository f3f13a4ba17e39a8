import { translateByPattern, translateFoundValue, type PatternTexts } from './translate-by-pattern.js';

/**
 * German texts for the rules of the fields of a listing item. The English texts are in
 * libs/item-listing/src/validate-item.ts.
 */
const RULES: PatternTexts = [
  [/^is required$/, 'fehlt'],
  [/^must not be empty$/, 'darf nicht leer sein'],
  [/^must be a string$/, 'muss ein Text sein'],
  [/^must be a number$/, 'muss eine Zahl sein'],
  [/^must be a string or a number$/, 'muss ein Text oder eine Zahl sein'],
  [/^must be a string when it is a number above (\d+)$/, 'muss ein Text sein, wenn die Zahl größer als $1 ist'],
  [/^must have at most (\d+) characters$/, 'darf höchstens $1 Zeichen haben'],
  [/^must be text without NUL and unpaired surrogates$/, 'darf kein NUL und keine einzelnen Surrogate enthalten'],
  [
    /^must be a date in UTC with milliseconds, of the form (\S+)$/,
    'muss ein Datum in UTC mit Millisekunden in der Form $1 sein',
  ],
  [/^must be an object$/, 'muss ein Objekt sein'],
  [/^must be an array$/, 'muss eine Liste sein'],
  [/^must be an array of objects$/, 'muss eine Liste von Objekten sein'],
  [/^must be a list of objects$/, 'muss eine Liste von Objekten sein'],
  [/^must have unique ids, but (.+) occurs twice$/, 'muss eindeutige ids haben, aber $1 kommt zweimal vor'],
  [/^and (\d+) more$/, 'und $1 weitere'],
];

/**
 * Translates into German the description of the problems of an invalid listing item. Returns undefined if a part of the
 * text has no translation.
 */
export function translateItemProblem(problem: string): string | undefined {
  const [, id, levels, issues = ''] =
    /^(?:Item (.+?)|An item without a usable id) (?:has more than (\d+) levels of arrays and objects|is not valid: (.+))$/s.exec(
      problem,
    ) ?? [];
  const name = id === undefined ? 'Ein Artikel ohne gültige id' : `Der Artikel ${id}`;
  if (levels !== undefined) return `${name} hat mehr als ${levels} Ebenen von Listen und Objekten`;
  const translated = issues.split('; ').map(translateItemFieldProblem);
  return issues === '' || translated.includes(undefined) ? undefined : `${name} ist ungültig: ${translated.join('; ')}`;
}

/** Translates the problem of one field of an item into German, such as `title must be a string, found 12`. */
function translateItemFieldProblem(issue: string): string | undefined {
  const [, path, rule = issue, value] = /^(?:([\w.[\]]+) )??((?:is|must|and) .+?)(?:, found (.+))?$/s.exec(issue) ?? [];
  const text = translateByPattern(RULES, rule);
  if (text === undefined) return undefined;
  const found = value === undefined ? '' : `, gefunden: ${translateFoundValue(value)}`;
  return `${path === undefined ? '' : `${path} `}${text}${found}`;
}
