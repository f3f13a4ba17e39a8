import { describe, expect, it } from 'vitest';
import { removeTableRules } from './remove-table-rules.js';

describe('removeTableRules', () => {
  it('removeTableRules removes the line of dashes below the head of a Markdown table', () => {
    expect(removeTableRules('Sales\n\n| Name | 2022 |\n|---|---:|\n| Mac | 7,382 |\n')).toBe(
      'Sales\n\n| Name | 2022 |\n| Mac | 7,382 |\n',
    );
    expect(removeTableRules('| A |\n| :--- |')).toBe('| A |\n');
  });

  it.each(['a --- b', '---', '| --- is a dash |', '|--|'])(
    'removeTableRules returns %j unchanged, because it contains no separator line of a Markdown table',
    (text) => {
      expect(removeTableRules(text)).toBe(text);
    },
  );
});
