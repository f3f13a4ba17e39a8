/** Zooms that the viewer offers: widths of the page in percent of the width of the frame around it. */
const ZOOMS = [50, 75, 100, 125, 150, 200, 300] as const;
export const MIN_ZOOM = 50;
export const MAX_ZOOM = 300;

/**
 * Returns the next larger or smaller zoom in percent, or the same zoom at the limit. @param direction 1 to zoom in, -1
 * to zoom out
 */
export function changeZoomByStep(zoom: number, direction: number): number {
  const next = direction > 0 ? ZOOMS.find((step) => step > zoom) : ZOOMS.findLast((step) => step < zoom);
  return next ?? zoom;
}

/** Picture widths in pixels that the API can render. */
const PICTURE_WIDTHS = [400, 800, 1_200, 1_600, 2_400] as const;
const MAX_PICTURE_WIDTH = 2_400;

/**
 * Returns the smallest picture width, in pixels, that is sharp on the screen; the greatest width if none is sharp.
 *
 * @param width width of the shown page in CSS pixels
 * @param pixelRatio screen pixels per CSS pixel
 */
export function choosePictureWidth(width: number, pixelRatio: number): number {
  return PICTURE_WIDTHS.find((candidate) => candidate >= width * pixelRatio) ?? MAX_PICTURE_WIDTH;
}
