import { hash } from 'node:crypto';
import { INDEXING_VERSION, type SyncCatalog } from '@quarry/contracts';
import { type ListedItem, toCanonicalJson } from '@quarry/item-listing';
import { ANALYSIS_VERSION } from '@quarry/text-analysis/analysis-version';
import { compileShapeCheck, IsInt, IsOptional, IsString, Min } from '@quarry/validation';
import { DOCUMENT_FORMAT } from './item-document.js';

/**
 * Describes the state that a sync passes to the next sync. The gateway stores this state and includes it in the next
 * job.
 */
export class ListingState {
  /**
   * Hash of the listing's address and of the indexing settings. If a later sync computes another hash, it ignores this
   * state.
   */
  @IsString()
  readonly listing: string;

  /** Modification date: the next sync reads only items modified later. Empty: it reads the whole listing. */
  @IsString()
  readonly modifiedAfter: string;

  /** Duration of the slowest response of the listing in this sync, in whole seconds. Absent when it is 0. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly slowestSeconds?: number;
}

/** The versions of all code that determines the fragments of an item. */
export const CODE_VERSIONS = { form: DOCUMENT_FORMAT, indexing: INDEXING_VERSION, analysis: ANALYSIS_VERSION };

const isListingState = compileShapeCheck(ListingState, 'ignore');

/**
 * Returns the state of the last sync. Returns undefined without such a state, or when the address of the listing or the
 * indexing settings have changed since then.
 */
export function findPreviousListingState(job: SyncCatalog): ListingState | undefined {
  const { listingState: state } = job;
  return isListingState(state) && state.listing === computeListingHash(job) ? state : undefined;
}

/**
 * Hashes the address of a job's listing and the indexing settings, to detect a stored state of other settings or of
 * another listing.
 */
export function computeListingHash(job: SyncCatalog, versions = CODE_VERSIONS): string {
  return computeJsonHash({ url: job.url, indexing: selectIndexingSettings(job, versions) });
}

/** Creates a function that hashes an item and the indexing settings. Items with equal hashes have equal fragments. */
export function createItemVersionFunction(job: SyncCatalog, versions = CODE_VERSIONS): (item: ListedItem) => string {
  const indexing = computeJsonHash(selectIndexingSettings(job, versions)).slice(0, 8);
  return ({ hash: content }) => `${indexing}.${content}`;
}

/** Returns everything that determines, together with the content of an item, the fragments of the item. */
function selectIndexingSettings({ embedding, splitting }: SyncCatalog, versions: typeof CODE_VERSIONS): object {
  return { embedding: embedding ?? null, splitting, ...versions };
}

function computeJsonHash(parts: object): string {
  return hash('sha256', toCanonicalJson(parts), 'base64url');
}
