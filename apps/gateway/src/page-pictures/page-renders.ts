import type { PictureLocation } from './locate-picture.js';

export interface PageRenderLimits {
  /** Maximum number of pages of one organization that the workers render at once for this gateway. */
  readonly perOrganization: number;
  /** Maximum number of requests that wait for pictures at once, of one organization. */
  readonly waitingPerOrganization: number;
  /** Maximum number of requests that wait for pictures at once, of all organizations together. */
  readonly waiting: number;
  /** Maximum time for which a request waits for a picture, in milliseconds. */
  readonly waitMs: number;
  /**
   * Maximum time for which a page counts as being rendered, in milliseconds. The time is longer than `waitMs`, so that
   * an organization cannot fill the queue by repeating requests that were not answered in time.
   */
  readonly renderMs: number;
}

export const PAGE_RENDER_LIMITS: PageRenderLimits = {
  perOrganization: 8,
  waitingPerOrganization: 64,
  waiting: 256,
  waitMs: 15_000,
  renderMs: 120_000,
};

/** Lets the ingestion workers render pages. Requests to this gateway for the same picture share one job. */
export interface PageRenders {
  /**
   * Waits until the workers have stored the picture of a page, or the reason why there is none. If the request is
   * aborted, the rendering continues.
   *
   * @throws Problem 429 if the organization already renders `perOrganization` pages or has too many waiting requests;
   *   503 if too many requests of all organizations wait, the page is not rendered in time, the queue is unavailable or
   *   the gateway stops; the reason of `signal` if it aborts
   */
  waitForPicture(location: PictureLocation, signal: AbortSignal): Promise<void>;
  /** Stops polling for pictures. Waiting requests are refused with Problem 503. */
  close(): void;
}
