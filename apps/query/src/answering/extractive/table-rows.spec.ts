import { describe, expect, it } from 'vitest';
import { formatTableRows } from './table-rows.js';

function listTexts(table: string): string[] {
  return formatTableRows(table.split('\n')).map(({ text }) => text);
}

describe('formatTableRows', () => {
  it('formatTableRows writes the column header before each value, such as “price: 20 €”', () => {
    expect(formatTableRows(['| name | price | |', '|---|---|---|', '| Lamp | 20 € | new |'])).toEqual([
      { text: 'name: Lamp; price: 20 €; new', subject: 'Lamp' },
    ]);
  });

  it('formatTableRows omits empty values, and reads an escaped bar as a part of its cell', () => {
    expect(listTexts('| a | b |\n| :-- | --: |\n| | x\\|y |')).toEqual(['b: x|y']);
  });

  it('if a table has no separator row, formatTableRows recognises the header by the numbers in the row below it', () => {
    expect(listTexts('| (In millions) | 2023 Q2 |\n| Income | $ (816) |')).toEqual([
      '(In millions): Income; 2023 Q2: $ (816)',
    ]);
    expect(listTexts('| one | two |\n| three | four |')).toEqual(['one | two', 'three | four']);
  });

  it('formatTableRows returns a header without rows as text', () => {
    expect(listTexts('| name | price |\n|---|---|')).toEqual(['name | price']);
  });
});
