export {
  buildDocumentKey,
  subtractMillisecond,
  toCanonicalJson,
  createListedItem,
  type ListedItem,
} from './listed-item.js';
export { fetchListingPage, type Listing, type ListingPage } from './listing-client.js';
export {
  buildListingParameters,
  formatRequestForMessages,
  type ListingQuery,
  type Parameters,
} from './listing-request.js';
export { PermanentListingError, TemporaryListingError } from './listing-errors.js';
export { validateItem, type ReadItem, type ReadVariation } from './validate-item.js';
export { HashedKeySet } from './hashed-key-set.js';
export { ItemCount } from './page-checks.js';
export type { WindowPosition } from './date-window.js';
export { ListingScan, type ReadPage, type ScannedPage, type ScanStart } from './listing-scan.js';
