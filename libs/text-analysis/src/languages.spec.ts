import { describe, expect, it } from 'vitest';
import { LANGUAGES } from './languages.js';
import { normalizeText } from './normalize-text.js';
import { computeStems } from './stems.js';

describe('the stemmers of the languages', () => {
  it.each([
    ['bg', ['подарък', 'подаръка', 'подаръци'], 'подарк'],
    ['bg', ['град', 'градът', 'градове'], 'град'],
    ['bg', ['ученик', 'ученици', 'учениците'], 'ученик'],
    ['bg', ['български', 'българските', 'българска'], 'българск'],
    ['ar', ['الكتاب', 'كتاب', 'والكتاب', 'بالكتاب'], 'كتاب'],
    ['el', ['δρόμοσ', 'δρόμων', 'δρόμοι', 'δρομοσ'], 'δρομ'],
    ['fa', ['کتاب', 'کتابها', 'کتابهای', 'كتابی'], 'كتاب'],
    ['hi', ['लड़कों', 'लड़का', 'लड़के'], 'लड़क'],
    ['tr', ['kitaplar', 'kitapları', 'kitap'], 'kitap'],
    ['vi', ['quán'], 'quán'],
    ['ru', ['книга', 'книги', 'книгами'], 'книг'],
  ])('the stemmer reduces the forms of a word to one stem (%s: %j)', (code, forms, stem) => {
    const languages = LANGUAGES.filter((language) => language.code === code);
    expect(forms.map((form) => computeStems(normalizeText(form), languages))).toEqual(
      forms.map(() => [normalizeText(stem)]),
    );
  });
});
