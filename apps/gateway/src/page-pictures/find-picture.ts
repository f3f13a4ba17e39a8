import type { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { isBlobNotFound, type BlobStore } from '@quarry/blob-store';
import { PagePictureFailure } from '@quarry/contracts';
import { parse } from '@quarry/validation';
import type { PictureLocation } from './locate-picture.js';

/** Time in milliseconds after which a stored failure is ignored, so that a request renders the page again. */
const FAILURE_MS = 60_000;

type PictureKeys = Pick<PictureLocation, 'pictureKey' | 'failureKey'>;

/**
 * Finds the stored picture of a page, or the stored failure if the page could not be rendered.
 *
 * @returns the PNG image, which the caller must read or destroy, or the failure; undefined if there is neither, or if
 *   the failure is older than a minute
 */
export async function findPicture(
  blobs: BlobStore,
  { pictureKey, failureKey }: PictureKeys,
  now: Date,
): Promise<Readable | PagePictureFailure | undefined> {
  const picture = await openBlobIfPresent(blobs, pictureKey);
  if (picture !== undefined) return picture;
  const stored = await openBlobIfPresent(blobs, failureKey);
  if (stored === undefined) return undefined;
  const failure = parse(PagePictureFailure, await json(stored), 'ignore');
  return now.getTime() - Date.parse(failure.failedAt) < FAILURE_MS ? failure : undefined;
}

/** Returns true if the result of `findPicture` is a failure instead of a picture. */
export function isPictureFailure(found: Readable | PagePictureFailure): found is PagePictureFailure {
  return 'failedAt' in found;
}

async function openBlobIfPresent(blobs: BlobStore, key: string): Promise<Readable | undefined> {
  try {
    return await blobs.read(key);
  } catch (error) {
    if (isBlobNotFound(error)) return undefined;
    throw error;
  }
}
