import { describe, expect, it } from 'vitest';
import { readEvaluationFile, hasEvaluationFiles, EVALUATION_FILES_NOTE } from '../../testing/evaluation-files.js';
import { readBlocks, formatBlocks } from '../../testing/read-blocks.js';
import { readMarkdown } from './markdown.js';

const listFormattedBlocks = async (markdown: string | Uint8Array): Promise<readonly string[]> =>
  formatBlocks((await readBlocks(readMarkdown, markdown)).blocks);

describe('readMarkdown', () => {
  it('readMarkdown yields blocks, each with the path of the headings above it', async () => {
    const markdown =
      '# Guide\n\nintro\n\n## Install\n\nrun it\n\n### Linux\n\nyes\n\n## Use\n\nopen it\n\n# Index\n\nend';
    await expect(listFormattedBlocks(markdown)).resolves.toEqual([
      '[Guide] heading: Guide',
      '[Guide] text: intro',
      '[Guide › Install] heading: Install',
      '[Guide › Install] text: run it',
      '[Guide › Install › Linux] heading: Linux',
      '[Guide › Install › Linux] text: yes',
      '[Guide › Use] heading: Use',
      '[Guide › Use] text: open it',
      '[Index] heading: Index',
      '[Index] text: end',
    ]);
  });

  it('readMarkdown yields each list, table and code block as one block of its kind', async () => {
    const { blocks } = await readBlocks(
      readMarkdown,
      '- one\n  - inner\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nif (x) {\n  y();\n}\n```\n\n> quoted\n> text',
    );
    expect(blocks.map(({ kind, text }) => ({ kind, text }))).toEqual([
      { kind: 'list', text: '- one\n  - inner\n- two' },
      { kind: 'table', text: '| a | b |\n|---|---|\n| 1 | 2 |' },
      { kind: 'code', text: 'if (x) {\n  y();\n}' },
      { kind: 'text', text: 'quoted\ntext' },
    ]);
    expect(blocks[1]?.headerLines).toBe(2);
  });

  it('readMarkdown removes markup from headings', async () => {
    await expect(listFormattedBlocks('## The **bold** [link](http://a.example) `code` <br>')).resolves.toEqual([
      '[The bold link code] heading: The bold link code',
    ]);
  });

  it('readMarkdown separates the words before and after a line break in a heading', async () => {
    await expect(listFormattedBlocks('# Guide<br>Part [one<br/>](#one)two')).resolves.toEqual([
      '[Guide Part one two] heading: Guide Part one two',
    ]);
  });

  it.each([
    [
      '---\n\n# Recall\n\nReturn it.\n\n---\n\n## Contact\n\nWrite to us.',
      ['Recall', 'Return it.', 'Contact', 'Write to us.'],
    ],
    ['---\n[Docs](https://example.com) | [API](https://example.com)\n---\n\ntext', ['Docs | API', 'text']],
    ['---\nNote: it rains.\n\nTake a coat.\n\n---\n\ntext', ['Note: it rains.', 'Take a coat.', 'text']],
  ])(
    'readMarkdown reads the text between horizontal rules as content, not as front matter: %j',
    async (markdown, texts) => {
      const blocks = (await listFormattedBlocks(markdown)).join('\n');
      for (const text of texts) expect(blocks).toContain(text);
    },
  );

  it('readMarkdown reads the title from front matter, and omits the rest of the front matter', async () => {
    await expect(
      listFormattedBlocks('---\ntitle: "All of it"\n# no heading\nweight: 3\n---\n\ntext\n\n# Part\n\nmore'),
    ).resolves.toEqual([
      '[All of it] heading: All of it',
      '[All of it] text: text',
      '[All of it › Part] heading: Part',
      '[All of it › Part] text: more',
    ]);
    await expect(listFormattedBlocks("+++\ntitle = 'One'\n+++\n\n# One {#one}\n\ntext")).resolves.toEqual([
      '[One] heading: One',
      '[One] text: text',
    ]);
    await expect(listFormattedBlocks('---\nweight: 3\n---\ntext')).resolves.toEqual(['[] text: text']);
  });

  it.each(['title:\ndescription: Foo', 'title:\n  en: Manual', 'title: ""\nweight: 3'])(
    'readMarkdown reads no title from front matter that has no text after the key `title`: %j',
    async (data) => {
      await expect(listFormattedBlocks(`---\n${data}\n---\n\ntext`)).resolves.toEqual(['[] text: text']);
    },
  );

  it('readMarkdown keeps the text before, between and after horizontal rules', async () => {
    await expect(listFormattedBlocks('---\nSome words about it.\n\n---\n\ntext')).resolves.toEqual([
      '[] text: Some words about it.',
      '[] text: text',
    ]);
    await expect(listFormattedBlocks('text\n\n---\n\nmore')).resolves.toEqual(['[] text: text', '[] text: more']);
  });

  it('readMarkdown omits HTML comments and empty anchors, except in code', async () => {
    await expect(
      listFormattedBlocks(
        '<a id="top"></a>\n\none<!-- no --> two `<!-- code -->`\n\n- item <!-- no -->\n- ```html\n  <!-- code -->\n  ```',
      ),
    ).resolves.toEqual(['[] text: one two `<!-- code -->`', '[] list: - item\n- ```html\n  <!-- code -->\n  ```']);
  });

  it.each(['## Use {#use}', '## Use {/*use*/}', '## Use { .wide }', '## Use {: #use }'])(
    'readMarkdown removes the attributes at the end of a heading: %s',
    async (markdown) => {
      await expect(listFormattedBlocks(markdown)).resolves.toEqual(['[Use] heading: Use']);
    },
  );

  it('readMarkdown omits embedded pictures and HTML tags, but keeps picture descriptions and the text between tags', async () => {
    const picture = `![the plan](data:image/png;base64,${'A'.repeat(50_000)})`;
    await expect(
      listFormattedBlocks(`${picture}\n\n<div><!-- no --><b>yes</b><script>no()</script></div>`),
    ).resolves.toEqual(['[] text: ![the plan]()', '[] text: yes']);
  });

  it('readMarkdown keeps the text `(data:` in prose and in code', async () => {
    await expect(
      listFormattedBlocks('Results (data: Eurostat; 2023) show.\n\n```ts\nfunction save(data: Buffer) {}\n```'),
    ).resolves.toEqual(['[] text: Results (data: Eurostat; 2023) show.', '[] code: function save(data: Buffer) {}']);
  });

  it('readMarkdown omits embedded pictures that are not in base64', async () => {
    await expect(listFormattedBlocks('![a plan](data:image/svg+xml;utf8,%3Csvg/%3E) ![b]( data:,x)')).resolves.toEqual([
      '[] text: ![a plan]() ![b]()',
    ]);
  });

  it('readMarkdown omits the data of pictures that word processors embed in link definitions at the end of the text', async () => {
    await expect(
      listFormattedBlocks(`![][plan]\n\nend\n\n[plan]: <data:image/png;base64,${'aB1+'.repeat(9_000)}>`),
    ).resolves.toEqual(['[] text: ![][plan]', '[] text: end', '[] text: [plan]: <>']);
  });

  it('readMarkdown decodes character references, such as &amp;, except in code', async () => {
    await expect(
      listFormattedBlocks(
        '# Q&amp;A &#39;1&#39; `&lt;`\n\nR&amp;D&nbsp;costs &#x20AC;5, AT&T &unknown; &copy `&amp;`\n\n    &amp;\n\n- one &lt;b&gt;\n- ~~~\n  &amp;\n  ~~~\n\n| a |\n|---|\n| x &#124; &eacute; |',
      ),
    ).resolves.toEqual([
      "[Q&A '1' &lt;] heading: Q&A '1' &lt;",
      "[Q&A '1' &lt;] text: R&D costs €5, AT&T &unknown; &copy `&amp;`",
      "[Q&A '1' &lt;] code: &amp;",
      "[Q&A '1' &lt;] list: - one <b>\n- ~~~\n  &amp;\n  ~~~",
      "[Q&A '1' &lt;] table: | a |\n|---|\n| x \\| é |",
    ]);
  });

  it('readMarkdown keeps the text after an unclosed HTML tag', async () => {
    await expect(listFormattedBlocks('# A\n\n<p>price < 5 and more text\n\nnext\n\n<div')).resolves.toEqual([
      '[A] heading: A',
      '[A] text: price < 5 and more text',
      '[A] text: next',
      '[A] text: <div',
    ]);
    await expect(listFormattedBlocks('<div class="note\ninside\n\nafter')).resolves.toEqual([
      '[] text: <div class="note inside',
      '[] text: after',
    ]);
  });

  it('readMarkdown reads Markdown that is nested too deeply for the lexer as plain text', async () => {
    const [first = ''] = await listFormattedBlocks(`${'>'.repeat(20_000)} deep`);
    expect(first.endsWith('deep')).toBe(true);
  });

  it.skipIf(!hasEvaluationFiles)(`readMarkdown reads real files (${EVALUATION_FILES_NOTE})`, async () => {
    const wiki = await listFormattedBlocks(readEvaluationFile('files/docling__wiki.md'));
    expect(wiki.filter((line) => line.includes('heading:')).length).toBe(3);
    expect((await listFormattedBlocks(readEvaluationFile('files/docling__mixed.md'))).join('\n')).toContain(
      'Scrooge McDuck',
    );
  });
});
