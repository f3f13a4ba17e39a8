export { formatDateAfter, createFakeItem, createFakeItems, FakeListing } from './fake-listing.js';
export { createListingApp, serveListing, type TestListing } from './test-listing.js';
