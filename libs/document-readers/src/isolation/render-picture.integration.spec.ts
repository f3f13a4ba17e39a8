import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { decodePng } from '../testing/decode-png.js';
import { createStreamObject, makePdf, layOutInColumn } from '../testing/make-pdf.js';
import { openDocumentReader, type DocumentReader } from './document-reader.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quarry-pictures-'));
});
afterAll(() => rm(directory, { recursive: true }));

function openReader(timeoutMs = 60_000): DocumentReader {
  const limits = { documentsPerProcess: 50, idleMs: 60_000, memoryMb: 1_000, maxCharacters: 1_000_000 };
  const reader = openDocumentReader({ processes: 1, timeoutMs, ...limits });
  onTestFinished(() => reader.close());
  return reader;
}

async function writePdf(bytes: Uint8Array): Promise<string> {
  const path = join(directory, crypto.randomUUID());
  await writeFile(path, bytes);
  return path;
}

async function renderPixels(bytes: Uint8Array, width: number) {
  const { pages, picture } = await openReader().renderPicture(await writePdf(bytes), { page: 1, width });
  return { pages, ...decodePng(picture?.png ?? new Uint8Array()) };
}

describe('a document reader that renders pages for display', { timeout: 60_000 }, () => {
  it('the reader renders a page of black text as a grey picture that shows the text at the same position as the page', async () => {
    const { pages, width, height, channels, getPixel } = await renderPixels(makePdf([layOutInColumn(['One.'])]), 612);
    expect({ pages, width, height, channels }).toEqual({ pages: 1, width: 612, height: 792, channels: 1 });
    const isDark = (left: number, top: number): boolean => Math.min(...getPixel(left, top)) < 128;
    const findDark = (top: number, bottom: number): boolean =>
      Array.from({ length: (bottom - top) * 612 }, (_, at) => at).some((at) =>
        isDark(at % 612, top + Math.floor(at / 612)),
      );
    // The baseline is 72 points below the upper edge. At the default resolution, a point is a pixel.
    expect([findDark(0, 60), findDark(60, 76), findDark(76, 792)]).toEqual([false, true, false]);
  });

  it('the reader renders the colors, the annotations and the rotation of a page as viewers display them', async () => {
    const content = createStreamObject('1 0 0 rg 0 0 306 792 re f');
    const mark = '/Subtype /Square /Rect [400 100 500 200] /IC [0 0 1] /C [0 0 1]';
    const { channels, getPixel } = await renderPixels(makePdf([[]], { content, annotations: [mark] }), 612);
    expect({ channels, left: getPixel(100, 400), right: getPixel(350, 400) }).toEqual({
      channels: 3,
      left: [255, 0, 0],
      right: [255, 255, 255],
    });
    expect(getPixel(450, 642)).toEqual([0, 0, 255]);
    const turned = await renderPixels(makePdf([[]], { content, pageEntries: '/Rotate 90' }), 792);
    expect([turned.width, turned.height]).toEqual([792, 612]);
    expect([turned.getPixel(400, 100), turned.getPixel(400, 500)]).toEqual([
      [255, 0, 0],
      [255, 255, 255],
    ]);
  });

  it('the reader reduces the requested width of the picture of a very long page, to limit the number of pixels', async () => {
    const { width, height } = await renderPixels(makePdf([[]], { pageEntries: '/MediaBox [0 0 100 10000]' }), 2_400);
    expect([width, height]).toEqual([400, 40_000]);
  });

  it('if the requested page does not exist, the reader returns the number of pages without a picture, and then renders another page', async () => {
    const reader = openReader();
    const pdf = await writePdf(makePdf([[], []]));
    await expect(reader.renderPicture(pdf, { page: 3, width: 400 })).resolves.toEqual({ pages: 2, picture: undefined });
    await expect(reader.renderPicture(pdf, { page: 2, width: 400 })).resolves.toMatchObject({
      picture: { width: 400, height: 518 },
    });
  });

  it.each([
    ['an encrypted PDF', makePdf([[]], { encrypted: true }), 'file_encrypted'],
    ['a file that is no PDF', Buffer.from('A text.'), 'file_unreadable'],
  ])('the reader rejects the rendering of %s with a code that states the cause', async (_name, bytes, code) => {
    const rendered = openReader().renderPicture(await writePdf(bytes), { page: 1, width: 400 });
    await expect(rendered).rejects.toMatchObject({ code });
  });

  it('the reader stops rendering the picture of a page at the time limit', async () => {
    const slow = await writePdf(makePdf([[]], { content: createStreamObject('q Q '.repeat(20_000_000)) }));
    const rendered = openReader(1_500).renderPicture(slow, { page: 1, width: 400 });
    await expect(rendered).rejects.toMatchObject({ code: 'reading_timed_out' });
  });
});
