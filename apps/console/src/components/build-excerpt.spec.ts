import { describe, expect, it } from 'vitest';
import { buildExcerpt } from './build-excerpt.js';

describe('an excerpt', () => {
  it('buildExcerpt separates the cells of a Markdown table by middle dots', () => {
    const table = '|  | 2022 | 2021 |\n|---|---:|---|\n| Accounts payable | (6,108) | (1,786) |\n| Investing: | | |';
    expect(buildExcerpt(table)).toBe('2022 · 2021\nAccounts payable · (6,108) · (1,786)\nInvesting:');
  });

  it('buildExcerpt removes the signs of headings, quotations, links, code and strong words', () => {
    const text =
      '## Upload a **file**\n> Send it with `POST /datasources`, see [the guide](https://example.com/a).\n```bash\ncurl\n```';
    expect(buildExcerpt(text)).toBe('Upload a file\nSend it with POST /datasources, see the guide.\ncurl');
  });

  it('buildExcerpt returns a text without Markdown unchanged', () => {
    const text = 'Net sales: a | b\n\n- one\n-5 is negative, 2 ** 3 is 8, #1 [2] (b) __init__.py and a_b_c';
    expect(buildExcerpt(text)).toBe(text);
  });

  it.each(['2**3 = 8 and 2**4 = 16', 'src/**/a.ts and lib/**/b.ts', '**/*.ts and **/*.js', '> 5 mg per day'])(
    'buildExcerpt returns the text “%s” unchanged',
    (text) => {
      expect(buildExcerpt(text)).toBe(text);
    },
  );

  it('buildExcerpt removes the signs of several strong words of a line, and of strong words with an asterisk', () => {
    expect(buildExcerpt('**One**, **two words** and **a * b**.')).toBe('One, two words and a * b.');
  });
});
