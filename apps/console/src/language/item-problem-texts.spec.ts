import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { translateItemProblem } from './item-problem-texts.js';

it.each([
  [
    'Item sku-4 is not valid: title must not be empty, found ""',
    'Der Artikel sku-4 ist ungültig: title darf nicht leer sein, gefunden: ""',
  ],
  [
    'Item 7 is not valid: date_modified must be a date in UTC with milliseconds, of the form 2026-01-31T23:59:59.999Z, found "yesterday"; price must be a number, found a list of 1',
    'Der Artikel 7 ist ungültig: date_modified muss ein Datum in UTC mit Millisekunden in der Form 2026-01-31T23:59:59.999Z sein, gefunden: "yesterday"; price muss eine Zahl sein, gefunden: eine Liste der Länge 1',
  ],
  ['An item without a usable id is not valid: id is required', 'Ein Artikel ohne gültige id ist ungültig: id fehlt'],
  [
    'An item without a usable id is not valid: must be an object, found a string',
    'Ein Artikel ohne gültige id ist ungültig: muss ein Objekt sein, gefunden: ein Text',
  ],
  [
    'Item 9 is not valid: variations[0].title must be a string, found 12; and 3 more',
    'Der Artikel 9 ist ungültig: variations[0].title muss ein Text sein, gefunden: 12; und 3 weitere',
  ],
  [
    'Item 1 has more than 64 levels of arrays and objects',
    'Der Artikel 1 hat mehr als 64 Ebenen von Listen und Objekten',
  ],
])(
  'the German text for an invalid item contains the id, the fields and the values of the English text: %s',
  (problem, text) => {
    expect(translateItemProblem(problem)).toBe(text);
  },
);

it.each(['Something of an earlier version', 'Item 1 is not valid: title must be blue', 'Item 1 is not valid: '])(
  'translateItemProblem returns undefined for a problem with an unknown rule: %s',
  (problem) => {
    expect(translateItemProblem(problem)).toBeUndefined();
  },
);

it('translateItemProblem has a German text for every problem that libs/item-listing reports', () => {
  // A test in libs/item-listing generates item-problems.json.
  const file = new URL('../../../../libs/item-listing/src/testing/item-problems.json', import.meta.url);
  const problems = JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
  expect(problems.length).toBeGreaterThan(20);
  expect(problems.filter((problem) => translateItemProblem(problem) === undefined)).toEqual([]);
});
