import { describe, expect, it } from 'vitest';
import { makeCjkPdf, CJK_FONTS, type CjkFont } from '../../testing/make-cjk-pdf.js';
import { makePdf, layOutInColumn } from '../../testing/make-pdf.js';
import { readBlocks } from '../../testing/read-blocks.js';
import { readPdf } from './pdf.js';

const LINES: Readonly<Record<string, readonly string[]>> = {
  Japan1: ['これはにほんごのぶんしょうです', 'ふたつめのぎょうもよめます'],
  GB1: ['这是没有嵌入字体的中文', '第二行也可以读出来'],
  CNS1: ['這是沒有嵌入字體的中文', '第二行也可以讀出來'],
  Korea1: ['이것은한국어문장이다', '둘째줄도읽을수있다'],
};

async function readText(pdf: Buffer): Promise<string> {
  const { blocks } = await readBlocks(readPdf, pdf);
  return blocks.map(({ text }) => text.replace(/\s/g, '')).join('');
}

describe('a PDF whose Chinese, Japanese or Korean font is not embedded', () => {
  const getLines = ({ ordering }: CjkFont): readonly string[] => LINES[ordering] ?? [];

  it.each(CJK_FONTS)('readPdf reads lines in a font that is not embedded: $cmap, $ordering', async (font) => {
    const pdf = makeCjkPdf(
      font,
      getLines(font).map((line) => [line]),
    );
    await expect(readText(pdf)).resolves.toBe(getLines(font).join(''));
  });

  it.each(CJK_FONTS)(
    'readPdf reads characters that are drawn one by one in a font that is not embedded: $cmap, $ordering',
    async (font) => {
      const pdf = makeCjkPdf(
        font,
        getLines(font).map((line) => Array.from(line)),
      );
      await expect(readText(pdf)).resolves.toBe(getLines(font).join(''));
    },
  );

  it.each(CJK_FONTS.filter(({ cmap }) => !cmap.startsWith('EUC')))(
    'readPdf reads vertical text in a font that is not embedded: $cmap, $ordering',
    async (font) => {
      const vertical = { ...font, cmap: font.cmap.replace(/H$/, 'V') };
      const pdf = makeCjkPdf(
        vertical,
        getLines(font).map((line) => [line]),
      );
      const found = new Set(await readText(pdf));
      expect([...new Set(getLines(font).join(''))].filter((character) => !found.has(character))).toEqual([]);
    },
  );

  it('readPdf keeps Latin letters and digits between Japanese characters that are drawn one by one', async () => {
    const [font] = CJK_FONTS;
    if (font === undefined) throw new Error('expected a font in `CJK_FONTS`, found none');
    await expect(readText(makeCjkPdf(font, [Array.from('ばーじょん3のAPI')]))).resolves.toBe('ばーじょん3のAPI');
  });
});

it('readPdf reads text in Helvetica, a font that PDF readers provide', async () => {
  await expect(readText(makePdf([layOutInColumn(['Plain Helvetica.'])]))).resolves.toBe('PlainHelvetica.');
});
