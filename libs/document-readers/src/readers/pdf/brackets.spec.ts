import { describe, expect, it } from 'vitest';
import { fixMirroredBrackets } from './brackets.js';

describe('brackets in a right-to-left line', () => {
  it.each([
    ['שנתיים )24 חודשים( מיום', 'שנתיים (24 חודשים) מיום'],
    ['سنتان )24 ]شهرا[( من', 'سنتان (24 [شهرا]) من'],
    ['מחיר )ISO 9001) כאן', 'מחיר (ISO 9001) כאן'],
    ['מחיר (ISO 9001(, כאן', 'מחיר (ISO 9001), כאן'],
    ['في الفترة )2024 -', 'في الفترة (2024 -'],
    ['2026( تحقيق أربعة', '2026) تحقيق أربعة'],
  ])(
    'if a right-to-left line stores mirrored brackets, fixMirroredBrackets swaps opening and closing brackets: %s',
    (drawn, meant) => {
      expect(fixMirroredBrackets(drawn)).toBe(meant);
    },
  );

  it.each(['שנתיים (24 חודשים) מיום', 'סעיף א) וסעיף ב)', 'half a pair :) in English', 'f)x(', 'שלום'])(
    'fixMirroredBrackets leaves the brackets of %j unchanged',
    (text) => {
      expect(fixMirroredBrackets(text)).toBe(text);
    },
  );
});
