import { createHash } from 'node:crypto';
import type { IndexDocument } from '@quarry/contracts';
import { ANALYSIS_VERSION } from '@quarry/text-analysis';
import type { Fragment } from '@quarry/document-readers';
import { getOffer } from './offer.js';

/**
 * Version of reading and splitting. Increment it when they yield other fragments, so that the next run indexes every document
 * again.
 */
const INDEXING_VERSION = 2;

/**
 * Returns a hash of everything that a stored document depends on: its fragments, the fields that searches return or filter by,
 * the embedding model, and the version of the text analysis. Equal hashes mean that the document need not be indexed again.
 */
export function computeContentHash(job: IndexDocument, fragments: readonly Fragment[]): string {
  const hash = createHash('sha256');
  const { datasourceId, customId, source, metadata, embedding } = job;
  hash.update(
    JSON.stringify([INDEXING_VERSION, ANALYSIS_VERSION, datasourceId, customId, source, metadata, embedding]),
  );
  const offer = getOffer(job);
  if (offer !== undefined) hash.update(JSON.stringify(['offer', offer]));
  for (const { text, context, page, location } of fragments)
    hash.update(JSON.stringify([text, context, page, location]));
  return hash.digest('base64url');
}
