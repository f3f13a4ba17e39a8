import { describe, expect, it } from 'vitest';
import { splitAtTables } from './split-at-tables.js';

describe('splitAtTables', () => {
  it('splitAtTables splits a text into its Markdown tables and the lines around them', () => {
    const text = 'Sales\n\n| | 2022 |\n|---|---:|\n| Mac \\| Pro | 7,382 |\n\nNotes';
    expect(splitAtTables(text)).toEqual([
      { kind: 'text', text: 'Sales' },
      { kind: 'table', head: ['', '2022'], rows: [['Mac | Pro', '7,382']] },
      { kind: 'text', text: 'Notes' },
    ]);
  });

  it('splitAtTables returns table rows without a head as text', () => {
    expect(splitAtTables('| Mac | 7,382 |\n| iPad | 7,224 |')).toEqual([
      { kind: 'text', text: '| Mac | 7,382 |\n| iPad | 7,224 |' },
    ]);
  });
});
