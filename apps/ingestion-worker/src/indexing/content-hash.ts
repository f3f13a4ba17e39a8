import { createHash } from 'node:crypto';
import type { IndexDocument } from '@quarry/contracts';
import { ANALYSIS_VERSION } from '@quarry/text-analysis';
import type { Fragment } from '@quarry/document-readers';
import { offerOf } from './offer-of.js';

/** Changes when reading or splitting changes what comes out, so that a re-sync indexes again. */
const INDEXING_VERSION = 2;

/**
 * Says whether a document is stored as it would be stored now: of what its fragments say, of what is returned or filtered
 * with them, of the model that embeds them, and of the analysis that finds them by words.
 */
export function contentHash(job: IndexDocument, fragments: readonly Fragment[]): string {
  const hash = createHash('sha256');
  const { datasourceId, customId, source, metadata, embedding } = job;
  hash.update(
    JSON.stringify([INDEXING_VERSION, ANALYSIS_VERSION, datasourceId, customId, source, metadata, embedding]),
  );
  const offer = offerOf(job);
  if (offer !== undefined) hash.update(JSON.stringify(['offer', offer]));
  for (const { text, context, page, location } of fragments)
    hash.update(JSON.stringify([text, context, page, location]));
  return hash.digest('base64url');
}
