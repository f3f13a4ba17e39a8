export { justBefore } from './item-date.js';
export { listedItem, type ListedItem } from './listed-item.js';
export { fetchPage, type Listing } from './listing-client.js';
export { ListingAway, ListingBroken } from './listing-failure.js';
export { parametersOf, type Parameters } from './listing-query.js';
export { readItem } from './read-item.js';
export { ListingScan, type ReadPage } from '../scan/listing-scan.js';
