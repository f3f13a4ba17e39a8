export { dateAfter, createFakeItem, createFakeItems, FakeListing } from './fake-listing.js';
export { createListingApp, serve, type TestListing } from './test-listing.js';
