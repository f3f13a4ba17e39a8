import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listingApp, type Item } from '@quarry/example-listing-server';
import { makeProducts } from '@quarry/example-listing-server/products';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import express, { type Express } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkListing, type Line } from './check-listing.js';
import { openEndpoint } from './endpoint.js';
import { exitCodeOf, inWords, summary } from './rule-report.js';

type Query = Record<string, string>;
interface Body {
  total_count: unknown;
  items: unknown;
}

let client: SafeFetch;
const servers: Server[] = [];

beforeEach(() => {
  client = createSafeFetch({ userAgent: 'test', allowLoopback: true });
});

afterEach(async () => {
  await client.close();
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(app: RequestListener): Promise<string> {
  const server = createServer(app);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return `http://127.0.0.1:${port}/items`;
}

async function linesOf(url: string, headers: Record<string, string> = {}, most = 10_000): Promise<readonly Line[]> {
  const lines: Line[] = [];
  for await (const line of checkListing(openEndpoint(client, { url, headers }), most)) lines.push(line);
  return lines;
}

/** The example with its requests or answers changed on the way. */
async function changed(change: Change): Promise<Express> {
  const inner = await serve(listingApp(() => makeProducts(40)));
  const app = express();
  app.get('/items', async (request, response) => {
    const query: Query = Object.fromEntries(new URLSearchParams(request.url.split('?')[1]));
    const sent = { ...query };
    change.query?.(sent);
    const answer = await fetch(`${inner}?${new URLSearchParams(sent).toString()}`);
    const body = (await answer.json()) as Body; // the example's own
    change.body?.(body, query);
    response.json(body);
  });
  return app;
}

const brokenIn = (lines: readonly Line[]): readonly string[] =>
  lines.flatMap(({ sentence, verdict }) => (verdict.outcome === 'broken' ? [`${sentence}: ${verdict.found}`] : []));

const itemsOf = (body: Body): Record<string, unknown>[] => body.items as Record<string, unknown>[]; // the example's own

describe('the example', () => {
  it('keeps every rule', async () => {
    const lines = await linesOf(await serve(listingApp(() => makeProducts(400))));
    expect(lines.filter(({ verdict }) => verdict.outcome !== 'kept')).toEqual([]);
    expect(lines).toHaveLength(22);
    expect(exitCodeOf(lines)).toBe(0);
    expect(summary(lines)).toBe('22 rules kept, 0 broken, 0 untold');
  });

  it('keeps every rule that can be told where there is nothing, or one item alone', async () => {
    const one: readonly Item[] = makeProducts(1);
    for (const items of [[], one]) {
      const lines = await linesOf(await serve(listingApp(() => items)));
      expect(brokenIn(lines)).toEqual([]);
      expect(exitCodeOf(lines)).toBe(0);
      expect(lines.map(inWords).join('\n')).toMatch(/^untold {2}order=ASC/m);
    }
  });

  it('is read in part when it is large', async () => {
    const lines = await linesOf(await serve(listingApp(() => makeProducts(2_000))), {}, 500);
    expect(brokenIn(lines)).toEqual([]);
    expect(lines.map(inWords).join('\n')).toMatch(/untold {2}total_count .*only the first \d+ items were read/);
  });

  it('wants its key', async () => {
    const url = await serve(listingApp(() => makeProducts(10), 'secret'));
    expect(brokenIn(await linesOf(url))).toEqual([
      'a public address answers with JSON that holds total_count and items: listing_unauthorized: the listing answered 401: {"error":"expected the right X-API-Key"}',
    ]);
    expect(brokenIn(await linesOf(url, { 'X-API-Key': 'secret' }))).toEqual([]);
  });
});

interface Change {
  readonly query?: (query: Query) => void;
  readonly body?: (body: Body, query: Query) => void;
}

const without = (name: string): Change => ({
  query: (query) => {
    Reflect.deleteProperty(query, name);
  },
});

/** Moves `modified_after` by so many milliseconds. */
const shifted = (ms: number): Change => ({
  query: (query) => {
    const { modified_after } = query;
    if (modified_after !== undefined) query['modified_after'] = new Date(Date.parse(modified_after) + ms).toISOString();
  },
});

const inEachItem = (change: (item: Record<string, unknown>) => void): Change => ({
  body: (body) => {
    itemsOf(body).forEach(change);
  },
});

let answers = 0;

const CHANGES: readonly (readonly [string, Change, RegExp])[] = [
  ['take', without('take'), /^take is how many/],
  ['skip', without('skip'), /^skip goes on/],
  ['descending order', without('order'), /^order=DESC/],
  [
    'ascending order',
    {
      query: (query) => {
        query['order'] = 'DESC';
      },
    },
    /^order=ASC.*: .* before /,
  ],
  ['modified_after', without('modified_after'), /^modified_after leaves out what is older/],
  [
    'everything',
    {
      query: (query) => {
        if (query['modified_after']?.startsWith('1970') === true) query['modified_after'] = '2999-01-01T00:00:00.000Z';
      },
    },
    /^modified_after=1970-01-01T00:00:00\.000Z asks for every item: total_count 0, and 40 without modified_after/,
  ],
  ['an exact match', shifted(-1), /^nothing is later than the latest item: item/],
  ['milliseconds', shifted(1), /^modified_after counts in milliseconds.*: no item/],
  [
    'total_count',
    {
      body: (body) => {
        body.total_count = 41;
      },
    },
    /^total_count .*: 41, though 40 items were read/,
  ],
  [
    'JSON',
    {
      body: (body) => {
        body.items = 'none';
      },
    },
    /listing_no_items: expected an array items, found "none"/,
  ],
  [
    'an item',
    inEachItem((item) => {
      item['price'] = '12';
    }),
    /^every item keeps the rules of its fields: 40 of 40 items do not:\nItem 1 is not valid: price must be a number, found "12"/,
  ],
  [
    'an id of its own',
    inEachItem((item) => {
      if (item['id'] === 3) item['id'] = 1;
    }),
    /^every item has an id of its own: item:1 twice/,
  ],
  [
    'the order of ties',
    {
      body: (body, query) => {
        if (query['take'] === '1') body.items = makeProducts(1);
      },
    },
    /^items of one date are always in the same order.*: item:1 in two places/,
  ],
  [
    'the same answer',
    {
      body: (body, query) => {
        if (query['take'] === '20') body.items = makeProducts((answers += 1));
      },
    },
    /^the same request has the same answer.*: other items/,
  ],
];
describe('a broken rule', () => {
  it.each(CHANGES)('is told: %s', async (_, change, expected) => {
    const lines = await linesOf(await serve(await changed(change)));
    expect(brokenIn(lines)).toContainEqual(expect.stringMatching(expected));
    expect(exitCodeOf(lines)).toBe(1);
    const told = lines.find(({ verdict }) => verdict.outcome === 'broken');
    expect(told === undefined ? '' : inWords(told)).toMatch(
      /^BROKEN {2}.*\n {10}.*(\n.*)*\n {10}GET http:\/\/127\.0\.0\.1:\d+\/items\?/,
    );
  });

  it('is an address that nobody outside can reach', async () => {
    const guarded = createSafeFetch({ userAgent: 'test' });
    const endpoint = openEndpoint(guarded, { url: 'http://127.0.0.1/items', headers: {} });
    const lines: Line[] = [];
    for await (const line of checkListing(endpoint, 10)) lines.push(line);
    expect(brokenIn(lines)).toEqual([expect.stringMatching(/^a public address .*: listing_address_refused/)]);
    await guarded.close();
  });
});
