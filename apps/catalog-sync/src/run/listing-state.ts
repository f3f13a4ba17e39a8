import { hash } from 'node:crypto';
import type { SyncCatalog } from '@quarry/contracts';
import { checkOf, IsArray, IsString } from '@quarry/validation';
import { DOCUMENT_FORMAT } from '../documents/item-document.js';
import { toCanonicalJson, type ListedItem } from '@quarry/item-listing';

/** The state that a sync leaves for the next sync. The gateway stores it and includes it in the next job. */
export class ListingState {
  /** Identifies the listing and the conversion of its items to documents. A state with another value is ignored. */
  @IsString()
  readonly listing: string;

  /** Items modified at or before this date are indexed; '' when there are none. */
  @IsString()
  readonly modifiedAfter: string;

  /** The hashes of invalid items that the next sync reads again but does not report again. */
  @IsArray()
  @IsString({ each: true })
  readonly reported: readonly string[];
}

const isListingState = checkOf(ListingState, 'ignore');

/** Returns the state that the last sync of the same listing left, or undefined when the whole listing has to be read. */
export function findPreviousState(job: SyncCatalog): ListingState | undefined {
  const { listingState: state } = job;
  return isListingState(state) && state.listing === identifyListing(job) ? state : undefined;
}

export function identifyListing(job: SyncCatalog): string {
  return hashOf({ url: job.url, indexing: indexingSettings(job) });
}

/** Returns a function that computes the version of an item. Equal versions mean equal content and equal fragments. */
export function createVersionFunction(job: SyncCatalog): (item: ListedItem) => string {
  const indexing = hashOf(indexingSettings(job)).slice(0, 8);
  return ({ hash: content }) => `${indexing}.${content}`;
}

/** Returns the settings that, besides the content of an item, determine how it is indexed. */
function indexingSettings({ embedding, splitting }: SyncCatalog): object {
  return { embedding: embedding ?? null, splitting, form: DOCUMENT_FORMAT };
}

function hashOf(parts: object): string {
  return hash('sha256', toCanonicalJson(parts), 'base64url');
}
