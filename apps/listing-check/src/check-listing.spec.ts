import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExampleListing, type Item } from '@quarry/example-listing-server';
import { makeProducts } from '@quarry/example-listing-server/products';
import { createSafeFetch, type SafeFetch } from '@quarry/safe-fetch';
import express, { type Express } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkListing, type RuleResult } from './check-listing.js';
import { createEndpoint } from './endpoint.js';
import { getExitCode, formatResult, formatSummary } from './rule-report.js';

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

async function serveApp(app: RequestListener): Promise<string> {
  const server = createServer(app);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return `http://127.0.0.1:${port}/items`;
}

async function checkAllRules(
  url: string,
  headers: Record<string, string> = {},
  maxItems = 10_000,
): Promise<readonly RuleResult[]> {
  const results: RuleResult[] = [];
  for await (const result of checkListing(createEndpoint(client, { url, headers }), maxItems)) results.push(result);
  return results;
}

/** Serves the example listing. `change` modifies each request before the listing receives it, or each response. */
async function serveChanged(change: Change): Promise<Express> {
  const inner = await serveApp(createExampleListing(() => makeProducts(40)));
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

const listFailures = (results: readonly RuleResult[]): readonly string[] =>
  results.flatMap(({ rule, verdict }) => (verdict.outcome === 'failed' ? [`${rule}: ${verdict.found}`] : []));

const getItems = (body: Body): Record<string, unknown>[] => body.items as Record<string, unknown>[]; // the example's own

describe('checkListing', () => {
  it('checkListing reports every rule as passed for the example listing', async () => {
    const results = await checkAllRules(await serveApp(createExampleListing(() => makeProducts(400))));
    expect(results.filter(({ verdict }) => verdict.outcome !== 'passed')).toEqual([]);
    expect(results).toHaveLength(22);
    expect(getExitCode(results)).toBe(0);
    expect(formatSummary(results)).toBe('22 rules passed, 0 failed, 0 skipped');
  });

  it('checkListing reports every rule as passed or skipped for a listing with at most one item', async () => {
    const one: readonly Item[] = makeProducts(1);
    for (const items of [[], one]) {
      const results = await checkAllRules(await serveApp(createExampleListing(() => items)));
      expect(listFailures(results)).toEqual([]);
      expect(getExitCode(results)).toBe(0);
      expect(results.map(formatResult).join('\n')).toMatch(/^skipped {2}order=ASC/m);
    }
  });

  it('checkListing stops reading a listing at the maximum number of items', async () => {
    const results = await checkAllRules(await serveApp(createExampleListing(() => makeProducts(2_000))), {}, 500);
    expect(listFailures(results)).toEqual([]);
    expect(results.map(formatResult).join('\n')).toMatch(/skipped {2}total_count .*only the first \d+ items were read/);
  });

  it('checkListing reports `listing_unauthorized` unless the API key of the listing is sent', async () => {
    const url = await serveApp(createExampleListing(() => makeProducts(10), 'secret'));
    expect(listFailures(await checkAllRules(url))).toEqual([
      'a public address returns JSON with total_count and items: listing_unauthorized: the listing responded with 401: {"error":"expected the right X-API-Key"}',
    ]);
    expect(listFailures(await checkAllRules(url, { 'X-API-Key': 'secret' }))).toEqual([]);
  });
});

interface Change {
  readonly query?: (query: Query) => void;
  readonly body?: (body: Body, query: Query) => void;
}

const removeParameter = (name: string): Change => ({
  query: (query) => {
    Reflect.deleteProperty(query, name);
  },
});

/** Creates a change that adds a number of milliseconds to the parameter `modified_after` of each request. */
const shiftModifiedAfter = (ms: number): Change => ({
  query: (query) => {
    const { modified_after } = query;
    if (modified_after !== undefined) query['modified_after'] = new Date(Date.parse(modified_after) + ms).toISOString();
  },
});

const changeItems = (change: (item: Record<string, unknown>) => void): Change => ({
  body: (body) => {
    getItems(body).forEach(change);
  },
});

let answers = 0;

const CHANGES: readonly (readonly [string, Change, RegExp])[] = [
  ['the endpoint ignores take', removeParameter('take'), /^take is the number/],
  ['the endpoint ignores skip', removeParameter('skip'), /^skip continues/],
  ['the endpoint ignores order=DESC', removeParameter('order'), /^order=DESC/],
  [
    'the endpoint ignores order=ASC',
    {
      query: (query) => {
        query['order'] = 'DESC';
      },
    },
    /^order=ASC.*: .* comes before /,
  ],
  ['the endpoint ignores modified_after', removeParameter('modified_after'), /^modified_after excludes items/],
  [
    'modified_after=1970 selects no items',
    {
      query: (query) => {
        if (query['modified_after']?.startsWith('1970') === true) query['modified_after'] = '2999-01-01T00:00:00.000Z';
      },
    },
    /^modified_after=1970-01-01T00:00:00\.000Z selects every item: total_count is 0, but 40 without modified_after/,
  ],
  [
    'modified_after includes items of that date',
    shiftModifiedAfter(-1),
    /^modified_after with the date of the latest item selects no items: item/,
  ],
  [
    'modified_after is rounded up by a millisecond',
    shiftModifiedAfter(1),
    /^modified_after has a resolution of milliseconds.*: item .* is missing/,
  ],
  [
    'total_count is wrong',
    {
      body: (body) => {
        body.total_count = 41;
      },
    },
    /^total_count .*: total_count is 41, but 40 items were read/,
  ],
  [
    'items is not an array',
    {
      body: (body) => {
        body.items = 'none';
      },
    },
    /listing_no_items: expected "items" to be an array, found "none"/,
  ],
  [
    'an item has an invalid price',
    changeItems((item) => {
      item['price'] = '12';
    }),
    /^every item is valid: 40 of 40 items are invalid:\nItem 1 is not valid: price must be a number, found "12"/,
  ],
  [
    'two items have the same id',
    changeItems((item) => {
      if (item['id'] === 3) item['id'] = 1;
    }),
    /^every item has a unique id: .* several items share these: 1\./,
  ],
  [
    'items with the same date change their order between pages',
    {
      body: (body, query) => {
        if (query['take'] === '1') body.items = makeProducts(1);
      },
    },
    /^items with the same date have the same order.*: item:1 occurs at two positions/,
  ],
  [
    'the same request returns other items',
    {
      body: (body, query) => {
        if (query['take'] === '20') body.items = makeProducts((answers += 1));
      },
    },
    /^the same request returns the same items.*: the second response contains different items than the first/,
  ],
];
describe('checkListing for a listing that violates the contract', () => {
  it.each(CHANGES)(
    'checkListing reports the violated rule with the request whose response violates the rule: %s',
    async (_, change, expected) => {
      const results = await checkAllRules(await serveApp(await serveChanged(change)));
      expect(listFailures(results)).toContainEqual(expect.stringMatching(expected));
      expect(getExitCode(results)).toBe(1);
      const failed = results.find(({ verdict }) => verdict.outcome === 'failed');
      expect(failed === undefined ? '' : formatResult(failed)).toMatch(
        /^FAILED {3}.*\n {9}.*(\n.*)*\n {9}GET http:\/\/127\.0\.0\.1:\d+\/items\?/,
      );
    },
  );

  it.each([
    ['over 50 items', 50, /^order=ASC.*: .* 500: out of memory/],
    ['over 5 items', 5, /^the same request returns the same items.*: .* 500: out of memory/],
  ])(
    'checkListing reports a result for every rule even if the listing responds with status 500 to requests for %s',
    async (_, max, rule) => {
      const listing = createExampleListing(() => makeProducts(200));
      const app = express().use((request, response, next) => {
        if (Number(request.query['take'] ?? 1) > max) response.status(500).end('out of memory');
        else next();
      }, listing);
      const results = await checkAllRules(await serveApp(app));
      expect(results).toHaveLength(22);
      expect(listFailures(results)).toContainEqual(expect.stringMatching(rule));
    },
  );

  it('checkListing reports an id that two items on the second page share, and counts both items for the rule on `total_count`', async () => {
    const items = makeProducts(200).map((item) => (item.id === 'sku-180' ? { ...item, id: 'sku-150' } : item));
    const results = await checkAllRules(await serveApp(createExampleListing(() => items)));
    expect(listFailures(results)).toEqual([expect.stringMatching(/^every item has a unique id: .* these: sku-150\.$/)]);
  });

  it('checkListing reports an id that two items on the first page share, even if requests for large pages fail', async () => {
    const items = makeProducts(200).map((item) => (item.id === 'sku-4' ? { ...item, id: 3 } : item));
    const app = express().use(
      (request, response, next) => {
        if (Number(request.query['take'] ?? 1) > 50) response.status(500).end();
        else next();
      },
      createExampleListing(() => items),
    );
    const results = await checkAllRules(await serveApp(app));
    expect(listFailures(results)).toContainEqual(expect.stringMatching(/^every item has a unique id: .* these: 3\.$/));
  });

  it('if all requests after the first one fail, checkListing reports one failed rule and checks no further rules', async () => {
    let requests = 0;
    const app = express().use(
      (_request, response, next) => {
        if ((requests += 1) > 1) response.status(500).end();
        else next();
      },
      createExampleListing(() => makeProducts(200)),
    );
    const results = await checkAllRules(await serveApp(app));
    expect(results.map(({ verdict }) => verdict.outcome)).toEqual(['passed', 'failed']);
  });

  it('checkListing reports `listing_address_refused` for a listing with a private address', async () => {
    const guarded = createSafeFetch({ userAgent: 'test' });
    const endpoint = createEndpoint(guarded, { url: 'http://127.0.0.1/items', headers: {} });
    const results: RuleResult[] = [];
    for await (const result of checkListing(endpoint, 10)) results.push(result);
    expect(listFailures(results)).toEqual([expect.stringMatching(/^a public address .*: listing_address_refused/)]);
    await guarded.close();
  });
});
