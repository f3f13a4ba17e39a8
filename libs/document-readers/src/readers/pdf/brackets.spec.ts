import { describe, expect, it } from 'vitest';
import { withBracketsTurned } from './brackets.js';

describe('brackets of a right-to-left line', () => {
  it.each([
    ['שנתיים )24 חודשים( מיום', 'שנתיים (24 חודשים) מיום'],
    ['سنتان )24 ]شهرا[( من', 'سنتان (24 [شهرا]) من'],
    ['מחיר )ISO 9001) כאן', 'מחיר (ISO 9001) כאן'],
    ['מחיר (ISO 9001(, כאן', 'מחיר (ISO 9001), כאן'],
    ['في الفترة )2024 -', 'في الفترة (2024 -'],
    ['2026( تحقيق أربعة', '2026) تحقيق أربعة'],
  ])('are turned around where they are written as they are drawn: %s', (drawn, meant) => {
    expect(withBracketsTurned(drawn)).toBe(meant);
  });

  it.each(['שנתיים (24 חודשים) מיום', 'סעיף א) וסעיף ב)', 'half a pair :) in English', 'f)x(', 'שלום'])(
    'stay as they are in %j',
    (text) => {
      expect(withBracketsTurned(text)).toBe(text);
    },
  );
});
