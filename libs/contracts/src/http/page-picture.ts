import { Describe, IntegerFromText, IsOptional } from '@quarry/validation';

/**
 * Lists the widths of page pictures in pixels. There are only a few widths, so that most requests find a picture that
 * is already stored.
 */
export const PAGE_PICTURE_WIDTHS = [400, 800, 1_200, 1_600, 2_400] as const;
export const MAX_PAGE_PICTURE_WIDTH = 2_400;
export const DEFAULT_PAGE_PICTURE_WIDTH = 1_200;

/** Describes the query string of `GET /datasources/{id}/pages/{page}`. */
export class PagePictureQuery {
  @Describe(
    'Minimum width of the picture in pixels. The picture has the next width of 400, 800, 1,200, 1,600 and 2,400. Default: 1,200.',
  )
  @IsOptional()
  @IntegerFromText({ min: 1, max: MAX_PAGE_PICTURE_WIDTH })
  readonly width?: number;
}
