import { expect, it } from 'vitest';
import { describeFieldProblem, translateFieldProblem } from './field-problem-texts.js';

it.each([
  ['is required', 'fehlt'],
  ['must be a number, found a string', 'muss eine Zahl sein, gefunden: ein Text'],
  ['must not be greater than 100, found 101', 'darf höchstens 100 sein, gefunden: 101'],
  ['must be shorter than or equal to 200 characters', 'darf höchstens 200 Zeichen haben'],
  [
    'must be a complete http or https URL, found no valid URL',
    'muss eine vollständige Adresse mit http oder https sein, gefunden: keine gültige Adresse',
  ],
  [
    'must be a public address: expected a public address, found 127.0.0.1',
    'muss eine öffentlich erreichbare Adresse sein',
  ],
  [
    'must be an interval such as "every 15m", a cron expression of five fields in UTC, or "never", found "soon": expected five fields, found 1',
    'muss ein Abstand wie „every 15m“, ein Cron-Ausdruck mit fünf Feldern in UTC oder „never“ sein, gefunden: "soon"',
  ],
  [
    'must be sent again, or be null, when the address changes to another server; found none',
    'müssen neu eingegeben werden, wenn die Adresse zu einem anderen Server wechselt',
  ],
  ['must be a URL address, found "nope"', 'muss eine vollständige Adresse mit http oder https sein, gefunden: "nope"'],
  [
    'must be shorter than or equal to 2000 characters, found "xx… (5002 characters)',
    'darf höchstens 2000 Zeichen haben, gefunden: "xx… (5002 Zeichen)',
  ],
  ['must contain a question, found none', 'muss eine Frage enthalten'],
  [
    'must be the name of a model that the server at baseUrl offers; the field is missing',
    'muss der Name eines Modells sein, das der Server unter der Basisadresse anbietet; das Feld fehlt',
  ],
])('the German text of a refused field contains the limits and values of the English text: %s', (problem, text) => {
  expect(translateFieldProblem(problem)).toBe(text);
});

it('for a validation rule without a German text, describeFieldProblem returns the English text with the language `en`', () => {
  const problem = 'must be blue, found 1';
  expect(translateFieldProblem(problem)).toBeUndefined();
  expect(describeFieldProblem(problem, 'de')).toEqual({ text: 'Must be blue, found 1', language: 'en' });
  expect(describeFieldProblem('is required', 'de')).toEqual({ text: 'Fehlt', language: 'de' });
  expect(describeFieldProblem('is required', 'en')).toEqual({ text: 'Is required', language: 'en' });
});
