import { Readable } from 'node:stream';
import type { PagePictureFailure } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { datasources } from '../database/tables/datasources.js';
import { locatePicture, type PictureLocation } from '../page-pictures/locate-picture.js';
import { uploadText } from './create-resources.js';
import type { Api, TestGateway } from './start-test-gateway.js';

/**
 * Uploads a file that only begins like a PDF file, which suffices because no worker reads it. @returns the id of the
 * datasource
 */
export async function uploadPdf(api: Api, datastoreId: string, name = 'manual.pdf'): Promise<string> {
  return uploadText(api, datastoreId, '%PDF-1.7', name);
}

/** Returns the location of the picture of a page, with the keys of the blobs that a worker stores. */
export async function locatePagePicture(
  { gateway: { db, clock } }: Pick<TestGateway, 'gateway'>,
  datasourceId: string,
  page = 1,
  width?: number,
): Promise<PictureLocation> {
  const [row] = await db.select().from(datasources).where(eq(datasources.id, datasourceId));
  if (row?.blobKey == null) throw new Error(`expected a stored file of datasource ${datasourceId}, found none`);
  return locatePicture(row, row.blobKey, { page, width }, clock());
}

/** Stores the picture of a page, as a worker does after rendering. */
export async function storePicture(
  { gateway: { blobs } }: Pick<TestGateway, 'gateway'>,
  { pictureKey }: PictureLocation,
  content = 'a picture',
): Promise<void> {
  await blobs.write(pictureKey, Readable.from([Buffer.from(content)]));
}

/** Stores the reason why a page has no picture, as a worker does after a failed rendering. */
export async function storePictureFailure(
  { gateway: { blobs } }: Pick<TestGateway, 'gateway'>,
  { failureKey }: PictureLocation,
  failure: PagePictureFailure,
): Promise<void> {
  await blobs.write(failureKey, Readable.from([Buffer.from(JSON.stringify(failure))]));
}
