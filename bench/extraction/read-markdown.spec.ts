import { expect, it } from 'vitest';
import { readMarkdown } from './read-markdown.js';

it('readMarkdown returns the text, the table cells and the code blocks of a Markdown document without its inline syntax', () => {
  const { text, cells, code } = readMarkdown(
    [
      '# Pumps',
      'A [pump](https://example.com/pump) moves **water**, ![drawing](https://example.com/p.png)not a\\_b \\| c.',
      '| Kind | Flow |\n| --- | --- |\n| A \\| B | 3 `l` |\n|  | 4 |',
      '```js\nconst a = [b](c);\n| not | a row |\n```',
    ].join('\n\n'),
  );
  expect(text.split(/\s+/).slice(0, 12)).toEqual('# Pumps A pump moves water, not a_b | c. | Kind'.split(' '));
  expect(text).toContain('const a = [b](c);');
  expect(text).not.toMatch(/drawing|example|```/);
  expect(cells).toEqual(['Kind', 'Flow', 'A | B', '3 l', '4']);
  expect(code).toEqual(['const a = [b](c);\n| not | a row |']);
});
