import { createHash } from 'node:crypto';
import { type IndexDocument, INDEXING_VERSION } from '@quarry/contracts';
import { ANALYSIS_VERSION } from '@quarry/text-analysis';
import type { Fragment } from '@quarry/document-readers';
import { listMetadataFields, type Offer } from '@quarry/fragment-store';

/**
 * Text that is hashed only for documents with metadata by which searches can filter. Older versions of Quarry stored no
 * such metadata. The different hash makes the next run index these documents again.
 */
const METADATA_MARK = 'metadata';

/**
 * Returns a hash of everything that a stored document depends on. This includes the fragments, the fields that searches
 * return or filter by, the embedding model, and the version of the text analysis. A document whose stored version has
 * an equal hash need not be indexed again.
 */
export function computeContentHash(job: IndexDocument, fragments: readonly Fragment[]): string {
  const hash = createHash('sha256');
  const { datasourceId, customId, source, metadata, embedding } = job;
  hash.update(
    JSON.stringify([INDEXING_VERSION, ANALYSIS_VERSION, datasourceId, customId, source, metadata, embedding]),
  );
  const offer = getItemOffer(job);
  if (offer !== undefined) hash.update(JSON.stringify(['offer', offer]));
  // Without metadata for filters, the hash equals that of older versions of Quarry, so the document is not indexed
  // again.
  if (listMetadataFields(metadata).length > 0) hash.update(METADATA_MARK);
  for (const { text, context, page, location, rectangles } of fragments) {
    // Without rectangles, the hash equals that of older versions of Quarry, so the document is not indexed again.
    const position = rectangles.length === 0 ? [page, location] : [page, location, rectangles];
    hash.update(JSON.stringify([text, context, ...position]));
  }
  return hash.digest('base64url');
}

/** Returns the price and stock status of a catalogue item; undefined for other documents and for items with neither. */
export function getItemOffer({ datasourceType, metadata = {} }: IndexDocument): Offer | undefined {
  if (datasourceType !== 'item_listing') return undefined;
  const { price, stock_status: stock } = metadata;
  const offer = { price: isValidPrice(price) ? price : null, stockStatus: typeof stock === 'string' ? stock : null };
  return offer.price === null && offer.stockStatus === null ? undefined : offer;
}

function isValidPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
