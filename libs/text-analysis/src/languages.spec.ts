import { expect, it } from 'vitest';
import { LANGUAGES } from './languages.js';
import { computeStems } from './stems.js';

it.each([
  ['bg', ['подарък', 'подаръка', 'подаръци'], 'подарк'],
  ['bg', ['град', 'градът', 'градове'], 'град'],
  ['bg', ['ученик', 'ученици', 'учениците'], 'ученик'],
  ['bg', ['български', 'българските', 'българска'], 'българск'],
  ['ru', ['книга', 'книги', 'книгами'], 'книг'],
])('reduces the forms of a word to one stem (%s: %j)', (code, forms, stem) => {
  const languages = LANGUAGES.filter((language) => language.code === code);
  expect(forms.map((form) => computeStems(form, languages))).toEqual(forms.map(() => [stem]));
});
