import { createHash } from 'node:crypto';
import { getDatasourceFolder } from '@quarry/blob-store';
import { DEFAULT_PAGE_PICTURE_WIDTH, PAGE_PICTURE_WIDTHS } from '@quarry/contracts';
import type { DatasourceRow } from '../database/tables/datasources.js';

/** Identifies the picture of a page of a PDF file, and the blobs in which it is stored. */
export interface PictureLocation {
  readonly organizationId: string;
  readonly blobKey: string;
  readonly page: number;
  /** The width of the picture in pixels, one of `PAGE_PICTURE_WIDTHS`. */
  readonly width: number;
  /**
   * Key of the blob with the picture. The key changes every day, so that no picture is written to a blob that is being
   * removed.
   */
  readonly pictureKey: string;
  /** Key of the blob with the reason why the page could not be rendered. */
  readonly failureKey: string;
  /** The ETag, which identifies the content of the picture. */
  readonly etag: string;
  /** The time after which both blobs are removed. */
  readonly removeAfter: Date;
}

/** Version of the rendering. Increase it when pages are rendered differently, so that stored pictures are not used. */
const RENDERING_VERSION = 1;
const DAY_MS = 86_400_000;
/** Number of days for which a picture is stored, including the day on which it was first requested. */
const STORED_DAYS = 2;

/** Determines where the picture of a page is stored. @param width the minimum width of the picture in pixels */
export function locatePicture(
  { id, organizationId, datastoreId }: Pick<DatasourceRow, 'id' | 'organizationId' | 'datastoreId'>,
  blobKey: string,
  { page, width: minWidth = DEFAULT_PAGE_PICTURE_WIDTH }: { readonly page: number; readonly width: number | undefined },
  now: Date,
): PictureLocation {
  const width = PAGE_PICTURE_WIDTHS.find((step) => step >= minWidth) ?? DEFAULT_PAGE_PICTURE_WIDTH;
  const day = Math.floor(now.getTime() / DAY_MS);
  const content = createHash('sha256').update(blobKey).digest('base64url');
  const picture = `${content}-${String(page)}-${String(width)}-v${String(RENDERING_VERSION)}`;
  const folder = `${getDatasourceFolder({ organizationId, datastoreId, datasourceId: id })}pages/${String(day)}/`;
  return {
    ...{ organizationId, blobKey, page, width },
    pictureKey: `${folder}${picture}.png`,
    failureKey: `${folder}${picture}.json`,
    etag: `"${picture}"`,
    removeAfter: new Date((day + STORED_DAYS) * DAY_MS),
  };
}
