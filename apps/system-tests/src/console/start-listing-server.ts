import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExampleListing, type Item } from '@quarry/example-listing-server';
import { makeProducts } from '@quarry/example-listing-server/products';
import { onTestFinished } from 'vitest';

/**
 * Controls a server on this machine that simulates a customer's item listing. A test can change and delay responses.
 */
export interface TestListing {
  /** Address of the listing, such as `http://127.0.0.1:43125/items`. */
  readonly url: string;
  /** Sets the items that all responses from now on contain. */
  setItems(items: readonly Item[]): void;
  /** Delays all further responses until `release` is called. */
  hold(): void;
  release(): void;
}

/** API key that the listing server requires in the header `X-API-Key`. */
export const LISTING_KEY = 'the-key-of-the-shop';

/** Starts a listing server, which stops at the end of the test. @param count initial number of items */
export async function startListingServer(count: number): Promise<TestListing> {
  let items: readonly Item[] = makeProducts(count);
  let opened = Promise.withResolvers<undefined>();
  opened.resolve(undefined);
  const listing = createExampleListing(() => [...items], LISTING_KEY);
  const server = createServer((request, response) => {
    void opened.promise.then(() => {
      listing(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    opened.resolve(undefined);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  return {
    url: `http://127.0.0.1:${port}/items`,
    setItems: (next) => {
      items = next;
    },
    hold: () => {
      opened = Promise.withResolvers<undefined>();
    },
    release: () => {
      opened.resolve(undefined);
    },
  };
}

interface ListingConfig {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly schedule: string;
}

/** Builds the configuration of a datasource that reads a listing. */
export function buildListingConfig({ url }: Pick<TestListing, 'url'>, key = LISTING_KEY): ListingConfig {
  return { url, headers: { 'X-API-Key': key }, schedule: 'never' };
}
