/** Selects a page of a PDF and the size of its picture. */
export interface PictureRequest {
  /** Number of the page to render, from 1. */
  readonly page: number;
  /** Width of the picture to render, in pixels. */
  readonly width: number;
}

/** Holds a page as a PNG image for display. */
export interface PagePicture {
  /**
   * Width of the picture in pixels. Less than the requested width if the picture would otherwise have too many pixels.
   */
  readonly width: number;
  readonly height: number;
  readonly png: Uint8Array;
}

/** Describes the result of rendering a page. */
export interface RenderedPicture {
  /** Number of pages in the PDF. */
  readonly pages: number;
  /** Picture of the requested page. Undefined if the PDF does not have this page. */
  readonly picture: PagePicture | undefined;
}
