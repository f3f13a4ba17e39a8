export { getDocumentKey, subtractMillisecond, toCanonicalJson, toListedItem, type ListedItem } from './listed-item.js';
export {
  buildParameters,
  fetchPage,
  formatRequest,
  type Listing,
  type ListingPage,
  type ListingQuery,
  type Parameters,
} from './listing-client.js';
export { PermanentListingError, TemporaryListingError } from './listing-errors.js';
export { readItem, type ReadItem, type ReadVariation } from './read-item.js';
export { HashedKeySet } from './hashed-key-set.js';
export { ItemCount } from './page-checks.js';
export { ListingScan, type ReadPage, type ScannedPage } from './listing-scan.js';
