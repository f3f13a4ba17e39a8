import { expect, it } from 'vitest';
import { formatOcrLanguages, parseOcrLanguages } from './scan-languages-text.js';

it.each<[string, readonly string[] | null]>([
  ['deu, eng', ['deu', 'eng']],
  ['chi_sim script/Latin;  ', ['chi_sim', 'script/Latin']],
  [' , ', null],
  ['', null],
])(
  'parseOcrLanguages parses the languages in %j, and parses the output of formatOcrLanguages to the same languages',
  (text, languages) => {
    expect(parseOcrLanguages(text)).toEqual(languages);
    expect(parseOcrLanguages(formatOcrLanguages(languages))).toEqual(languages);
  },
);
