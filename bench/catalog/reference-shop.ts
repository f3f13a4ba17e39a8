import { createExampleListing } from '@quarry/example-listing-server';
import { serveListing } from './serve-listing.js';

/** `node reference-shop.js <products>`: the reference server of `examples/listing-server`. */

serveListing((products) => createExampleListing(() => products), Number(process.argv[2]));
