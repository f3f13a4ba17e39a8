import { hash } from 'node:crypto';
import type { SyncCatalog } from '@quarry/contracts';
import { type ListedItem, toCanonicalJson } from '@quarry/item-listing';
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
export function computeListingHash(job: SyncCatalog): string {
  return computeJsonHash({ url: job.url, indexing: selectIndexingSettings(job) });
}

/** Creates a function that hashes an item and the indexing settings. Items with equal hashes have equal fragments. */
export function createItemVersionFunction(job: SyncCatalog): (item: ListedItem) => string {
  const indexing = computeJsonHash(selectIndexingSettings(job)).slice(0, 8);
  return ({ hash: content }) => `${indexing}.${content}`;
}

/** Returns the settings that determine, together with the content of an item, the fragments of the item. */
function selectIndexingSettings({ embedding, splitting }: SyncCatalog): object {
  return { embedding: embedding ?? null, splitting, form: DOCUMENT_FORMAT };
}

function computeJsonHash(parts: object): string {
  return hash('sha256', toCanonicalJson(parts), 'base64url');
}
