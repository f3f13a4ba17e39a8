export { at, fakeItem, fakeItems, FakeListing } from './fake-listing.js';
export { listingApp, serve, type TestListing } from './test-listing.js';
