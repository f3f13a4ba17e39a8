import { describe, expect, it } from 'vitest';
import { buildExcerpt } from './build-excerpt.js';

describe('an excerpt', () => {
  it('buildExcerpt separates the cells of a Markdown table by middle dots', () => {
    const table = '|  | 2022 | 2021 |\n|---|---:|---|\n| Accounts payable | (6,108) | (1,786) |\n| Investing: | | |';
    expect(buildExcerpt(table)).toBe('2022 · 2021\nAccounts payable · (6,108) · (1,786)\nInvesting:');
  });

  it('buildExcerpt returns a text without tables unchanged', () => {
    const text = 'Net sales: a | b\n\n- one\n-5 is negative';
    expect(buildExcerpt(text)).toBe(text);
  });
});
