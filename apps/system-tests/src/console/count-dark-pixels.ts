import type { DecodedPng } from '@quarry/document-readers/testing';
import type { Page } from 'playwright-core';

/**
 * Describes a horizontal band of a document page. The edges are shares of the page's height: 0 is the top, 1 the
 * bottom.
 */
export interface PageBand {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Counts the dark pixels, mostly of letters, in the picture of a document page. `marked` counts those inside the boxes
 * that mark the selected passage on the screen, `others` those outside.
 *
 * @param band the counted part of the page, such as one line of text; default: the whole page
 */
export async function countDarkPixels(
  page: Page,
  { width, height, getPixel }: DecodedPng,
  { top, bottom }: PageBand = { top: 0, bottom: 1 },
): Promise<{ readonly marked: number; readonly others: number }> {
  const sheet = await page.getByRole('img').boundingBox();
  const boxes = await Promise.all(
    (await page.locator('.page-box-selected').all()).map(async (box) => box.boundingBox()),
  );
  const count = { marked: 0, others: 0 };
  if (sheet === null) return count;
  const scale = sheet.width / width;
  const isMarked = (x: number, y: number): boolean =>
    boxes.some(
      (box) =>
        box !== null && x > box.x - 2 && x < box.x + box.width + 2 && y > box.y - 2 && y < box.y + box.height + 2,
    );
  for (let y = Math.floor(top * height); y < bottom * height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      if (Math.min(...getPixel(x, y)) >= 128) continue;
      count[isMarked(sheet.x + x * scale, sheet.y + y * scale) ? 'marked' : 'others'] += 1;
    }
  }
  return count;
}
