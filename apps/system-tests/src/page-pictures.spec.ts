import { QuarryError } from '@quarry/client';
import { decodePng, makePdf, layOutInColumn, type DecodedPng } from '@quarry/document-readers/testing';
import { beforeAll, expect, it } from 'vitest';
import { describeOnEachStack } from './quarry/stacks.js';

const PDF = makePdf([layOutInColumn(['The first page.']), layOutInColumn(['The second page begins here.'])]);
const WIDTH = 800;

describeOnEachStack('pictures of pages', {}, (quarry) => {
  let datastoreId: string;
  let manual: string;
  const uploadPdf = async (name: string, bytes: Uint8Array): Promise<string> => {
    const file = new File([Uint8Array.from(bytes)], name, { type: 'application/pdf' });
    return (await quarry().uploadFile(datastoreId, file)).id;
  };
  const getPictureError = async (id: string, page: number): Promise<unknown> =>
    quarry()
      .getPagePicture(id, page)
      .catch((error: unknown) => (error instanceof QuarryError ? [error.status, error.code] : error));
  beforeAll(async () => {
    ({ id: datastoreId } = await quarry().createDatastore({ name: 'Manuals' }));
    manual = await uploadPdf('manual.pdf', PDF);
  });

  it('the picture of a page shows the text of the page, and repeated requests return the same picture', async () => {
    const response = await quarry().getPagePicture(manual, 2, { width: WIDTH });
    expect(response.headers.get('content-type')).toBe('image/png');
    const bytes = new Uint8Array(await response.arrayBuffer());
    const picture = decodePng(bytes);
    expect([picture.width, picture.height]).toEqual([800, 1_035]);
    // The page is 8.5 inches wide. Its only line of text is 1 to 4 inches from the left edge, and 1 inch below the top
    // edge.
    expect(countDarkPixels(picture, { left: 94, right: 300, top: 80, bottom: 100 })).toBeGreaterThan(100);
    expect(countDarkPixels(picture, { left: 0, right: 800, top: 110, bottom: 1_035 })).toBe(0);
    const again = await quarry().getPagePicture(manual, 2, { width: WIDTH });
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(bytes);
  });

  it('a request for the picture of a missing page or of a page of an encrypted file fails with an error code', async () => {
    expect(await getPictureError(manual, 3)).toEqual([404, 'page_not_found']);
    const secret = await uploadPdf('secret.pdf', makePdf([[]], { encrypted: true }));
    expect(await getPictureError(secret, 1)).toEqual([422, 'page_unreadable']);
  });

  it('the picture of a page requires an API key', async () => {
    const url = quarry().getPagePictureUrl(manual, 2, { width: WIDTH });
    expect((await fetch(url)).status).toBe(401);
  });
});

interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function countDarkPixels({ getPixel }: DecodedPng, { left, right, top, bottom }: Area): number {
  let dark = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) if (Math.min(...getPixel(x, y)) < 128) dark += 1;
  }
  return dark;
}
