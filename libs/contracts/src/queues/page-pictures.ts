import { hash } from 'node:crypto';
import { IsIn, IsInt, IsISO8601, IsNotEmpty, IsString, Min } from '@quarry/validation';
import type { QueueContract } from './queue-contract.js';

/** Describes the job that renders one page of a PDF as a picture, and stores the picture as a blob. */
export class RenderPage {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  /** Identifies the blob that contains the PDF. */
  @IsString()
  @IsNotEmpty()
  readonly blobKey: string;

  /** Holds the page number, from 1. */
  @IsInt()
  @Min(1)
  readonly page: number;

  /** Holds the width of the picture in pixels. */
  @IsInt()
  @Min(1)
  readonly width: number;

  /** Identifies the blob for the picture. Its key depends on the PDF, the page, the width and the current day. */
  @IsString()
  @IsNotEmpty()
  readonly pictureKey: string;

  /** Identifies the blob for a `PagePictureFailure`, if the page cannot be rendered. */
  @IsString()
  @IsNotEmpty()
  readonly failureKey: string;

  /**
   * Number that increases once a minute. It is part of the job id, so that a finished job does not block a new attempt
   * to render the page.
   */
  @IsInt()
  @Min(0)
  readonly round: number;
}

/** Lists the reasons why a page has no picture. */
export const PAGE_PICTURE_FAILURES = [
  'page_not_found',
  'content_missing',
  'file_encrypted',
  'file_too_large',
  'file_unreadable',
  'reading_out_of_memory',
  'reading_timed_out',
  'internal_error',
] as const;
export type PagePictureFailureCode = (typeof PAGE_PICTURE_FAILURES)[number];

/** Describes why a page has no picture. The gateway reads it from a blob, and ignores a blob that is not recent. */
export class PagePictureFailure {
  @IsIn(PAGE_PICTURE_FAILURES)
  readonly code: PagePictureFailureCode;

  @IsString()
  readonly message: string;

  @IsISO8601()
  readonly failedAt: string;
}

export type PagePictureJobs = { readonly 'render-page': RenderPage };

/** Retry settings with short delays, because a user waits for the picture. */
const FAST_RETRY = { attempts: 3, backoff: { delayMs: 500, maxDelayMs: 2_000, jitter: 0.5 } } as const;
const MINUTE = 60;
const DAY = 86_400;

/** Limits the concurrent jobs of one organization, so that its slow pages do not delay pages of other organizations. */
const ORGANIZATION_SHARE = { field: 'organizationId', max: 0.5, slowAfterMs: 3_000 } as const;

export const pagePictureQueue: QueueContract<PagePictureJobs> = {
  name: 'page-pictures',
  jobs: {
    'render-page': {
      payload: RenderPage,
      buildId: ({ pictureKey, round }) => `${hash('sha256', pictureKey, 'base64url')}.${round}`,
      ...FAST_RETRY,
    },
  },
  keepCompletedSeconds: MINUTE,
  keepFailedSeconds: DAY,
  ownerShare: ORGANIZATION_SHARE,
};
