import { listingApp } from '@quarry/example-listing-server';
import { serveListing } from './served.js';

/* `node reference-shop.js <products>`: the reference server of `examples/listing-server` as it is. */

serveListing((products) => listingApp(() => products), Number(process.argv[2]));
