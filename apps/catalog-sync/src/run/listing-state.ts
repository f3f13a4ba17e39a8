import { hash } from 'node:crypto';
import type { SyncCatalog } from '@quarry/contracts';
import { checkOf, IsArray, IsString } from '@quarry/validation';
import { DOCUMENT_FORM } from '../documents/item-document.js';
import { canonicalJson, type ListedItem } from '@quarry/item-listing';

/** What a sync leaves for the next one. The gateway keeps it, and returns it in the next job. */
export class ListingState {
  /** Identifies the listing and how its items become documents. A state of another one is of no use. */
  @IsString()
  readonly listing: string;

  /** Items modified at this date or before are indexed; '' when there are none. */
  @IsString()
  readonly modifiedAfter: string;

  /** The hashes of invalid items that the next sync reads again, and need not report again. */
  @IsArray()
  @IsString({ each: true })
  readonly reported: readonly string[];
}

const isListingState = checkOf(ListingState, 'ignore');

/** Returns what the last sync of the same listing has left; undefined when everything has to be read. */
export function previousState(job: SyncCatalog): ListingState | undefined {
  const { listingState: state } = job;
  return isListingState(state) && state.listing === identifyListing(job) ? state : undefined;
}

export function identifyListing(job: SyncCatalog): string {
  return digest({ url: job.url, indexing: indexingOf(job) });
}

/** Returns the version of an item: equal for equal content that becomes the same fragments. */
export function itemVersions(job: SyncCatalog): (item: ListedItem) => string {
  const indexing = digest(indexingOf(job)).slice(0, 8);
  return ({ hash: content }) => `${indexing}.${content}`;
}

/** Everything beside an item that decides how it is indexed. */
function indexingOf({ embedding, splitting }: SyncCatalog): object {
  return { embedding: embedding ?? null, splitting, form: DOCUMENT_FORM };
}

function digest(parts: object): string {
  return hash('sha256', canonicalJson(parts), 'base64url');
}
