import { createExampleListing } from '@quarry/example-listing-server';
import { serveChangingListing } from './serve-changing-listing.js';

/**
 * Program `node reference-shop.js <products>`: serves a listing with the reference server of `examples/listing-server`.
 */

serveChangingListing((products) => createExampleListing(() => products), Number(process.argv[2]));
