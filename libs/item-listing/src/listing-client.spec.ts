import type { RequestListener } from 'node:http';
import { createSafeFetch, FetchFailed, type SafeFetch } from '@quarry/safe-fetch';
import type { Request } from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeItems, FakeListing } from './testing/fake-listing.js';
import { createListingApp, serveListing, type TestListing } from './testing/test-listing.js';
import { parsePauseMs, fetchListingPage, type ListingPage } from './listing-client.js';
import { buildListingParameters, buildRequestAddress, formatRequestForMessages } from './listing-request.js';

const QUERY = buildListingParameters({ take: 2, skip: 0, modifiedAfter: '' });

let client: SafeFetch;
let server: TestListing | undefined;

beforeEach(() => {
  client = createSafeFetch({ userAgent: 'test', allowLoopback: true });
});

afterEach(async () => {
  await client.close();
  await server?.close();
  server = undefined;
});

async function requestPage(app: RequestListener, limits: object = {}, path = ''): Promise<ListingPage> {
  server = await serveListing(app);
  const listing = { url: `${server.url}${path}`, headers: { 'X-API-Key': 'secret' } };
  return fetchListingPage(client, listing, QUERY, { limits });
}

const respondWith =
  (status: number, body: string, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(body);
  };

describe('the listing client', () => {
  it('fetchListingPage sends the parameters of the contract and of the listing’s URL, the headers, and a new `_nonce`', async () => {
    const seen: Request[] = [];
    const listing = new FakeListing(createFakeItems(3));
    const app = createListingApp(listing, (request) => seen.push(request));
    const page = await requestPage(app, {}, '?shop=a%20b');
    expect(page).toMatchObject({ totalCount: 3, items: [{ id: 'i00000' }, { id: 'i00001' }] });
    await fetchListingPage(client, { url: String(server?.url), headers: {} }, [
      'modified_after=2026-01-01T00:00:00.000Z',
    ]);
    expect(seen[0]?.query).toMatchObject({
      shop: 'a b',
      take: '2',
      skip: '0',
      order: 'ASC',
      order_by: 'date_modified,id',
      modified_after: '1970-01-01T00:00:00.000Z',
    });
    expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'secret', accept: 'application/json', 'user-agent': 'test' });
    expect(seen[1]?.query).toMatchObject({ modified_after: '2026-01-01T00:00:00.000Z' });
    expect(new Set(seen.map(({ query }) => query['_nonce'])).size).toBe(2);
  });

  it.each([
    ['Thu, 01 Jan 2026 00:00:07 GMT', '2026-01-01T00:00:07.999Z'],
    ['yesterday', undefined],
  ])('fetchListingPage parses the Date header "%s" of the response as %s', async (date, answeredAt) => {
    const page = await requestPage(respondWith(200, '{"total_count":0,"items":[]}', { date }));
    expect(page.answeredAt).toBe(answeredAt);
  });

  it.each([
    ['<!DOCTYPE html><p>Shop', 'listing_not_json', /^expected JSON, found <!DOCTYPE html><p>Shop \(GET http/],
    ['', 'listing_not_json', /found nothing \(GET/],
    ['[]', 'listing_no_items', /expected an object with "total_count" and "items", found \[\] \(GET/],
    ['null', 'listing_no_items', /found null/],
    [
      '{"total_count":1,"products":[]}',
      'listing_no_items',
      /expected "items" to be an array, found none among total_count, products/,
    ],
    ['{"total_count":1,"items":{}}', 'listing_no_items', /expected "items" to be an array, found {}/],
    ['{"items":[]}', 'listing_no_total_count', /expected "total_count" to be a number, found none among items/],
    ['{"total_count":"3","items":[]}', 'listing_no_total_count', /found "3"/],
    ['{"total_count":-1,"items":[]}', 'listing_no_total_count', /found -1/],
    ['{"total_count":null,"items":[]}', 'listing_no_total_count', /found null/],
  ])('fetchListingPage rejects the body %j', async (body, code, message) => {
    await expect(requestPage(respondWith(200, body))).rejects.toMatchObject({
      name: 'PermanentListingError',
      code,
      message: expect.stringMatching(message) as string,
    });
  });

  it('fetchListingPage rejects a body whose `items` has tens of thousands of nested objects with `listing_no_items`', async () => {
    const items = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    const page = requestPage(respondWith(200, `{"total_count":1,"items":${items}}`));
    await expect(page).rejects.toMatchObject({ name: 'PermanentListingError', code: 'listing_no_items' });
  });

  it('fetchListingPage accepts a response that begins with a byte order mark or has any content type', async () => {
    expect(await requestPage(respondWith(200, '\uFEFF{"total_count":0,"items":[]}'))).toMatchObject({ items: [] });
  });

  it.each([
    ['UTF-8 and declared as ISO-8859-1', 'utf8'],
    ['ISO-8859-1 as declared', 'latin1'],
  ] as const)('fetchListingPage decodes a body that is encoded in %s', async (_, encoding) => {
    const body = Buffer.from('{"total_count":1,"items":[{"title":"Café Größe"}]}', encoding);
    const page = await requestPage((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=ISO-8859-1' }).end(body);
    });
    expect(page.items).toEqual([{ title: 'Café Größe' }]);
  });

  it.each([
    [401, 'listing_unauthorized'],
    [403, 'listing_forbidden'],
    [404, 'listing_not_found'],
    [410, 'listing_not_found'],
    [400, 'listing_refused'],
    [304, 'listing_refused'],
  ])('fetchListingPage throws a PermanentListingError for status %i: %s', async (status, code) => {
    await expect(requestPage(respondWith(status, status === 304 ? '' : 'no'))).rejects.toMatchObject({
      name: 'PermanentListingError',
      code,
      message: expect.stringMatching(new RegExp(`^the listing responded with ${status}: .*\\(GET http`)) as string,
    });
  });

  it.each([
    [429, {}, 'listing_rate_limited', 30_000],
    [429, { 'retry-after': '7' }, 'listing_rate_limited', 7_000],
    [503, { 'retry-after': '90' }, 'listing_unavailable', 90_000],
    [503, {}, 'listing_unavailable', undefined],
    [500, {}, 'listing_unavailable', undefined],
    [408, {}, 'listing_unavailable', undefined],
  ])(
    'fetchListingPage throws a TemporaryListingError for status %i with headers %j',
    async (status, headers, code, retryAfterMs) => {
      await expect(requestPage(respondWith(status, 'later', headers))).rejects.toMatchObject({
        name: 'TemporaryListingError',
        code,
        retryAfterMs,
      });
    },
  );

  it('fetchListingPage rejects a response that exceeds the size limit or the time limit', async () => {
    const large = respondWith(200, JSON.stringify({ total_count: 1, items: ['x'.repeat(10_000)] }));
    await expect(requestPage(large, { bodyBytes: 1_000 })).rejects.toMatchObject({
      code: 'listing_response_too_large',
    });
    await server?.close();
    await expect(requestPage(() => undefined, { totalMs: 50 })).rejects.toMatchObject({ code: 'listing_timeout' });
  });

  it('fetchListingPage throws listing_unreachable if no server listens at the address', async () => {
    const closed = await serveListing(respondWith(200, ''));
    await closed.close();
    const listing = { url: closed.url, headers: {} };
    await expect(fetchListingPage(client, listing, QUERY)).rejects.toMatchObject({ code: 'listing_unreachable' });
  });

  it('fetchListingPage rejects private addresses and URLs with a scheme other than http or https', async () => {
    const guarded = createSafeFetch({ userAgent: 'test' });
    for (const url of ['http://127.0.0.1/items', 'http://10.0.0.1/', 'http://localhost/', 'ftp://shop.example/']) {
      const page = fetchListingPage(guarded, { url, headers: {} }, QUERY);
      await expect(page).rejects.toMatchObject({ name: 'PermanentListingError', code: 'listing_address_refused' });
    }
    await guarded.close();
  });

  it('fetchListingPage rejects request headers that customers must not set, such as Host', async () => {
    server = await serveListing(respondWith(200, ''));
    const listing = { url: server.url, headers: { Host: 'other.example' } };
    await expect(fetchListingPage(client, listing, QUERY)).rejects.toMatchObject({ code: 'listing_headers_refused' });
  });

  it('fetchListingPage throws an error when the signal is aborted', async () => {
    const stop = new AbortController();
    server = await serveListing(() => {
      stop.abort();
    });
    const page = fetchListingPage(client, { url: server.url, headers: {} }, QUERY, { signal: stop.signal });
    await expect(page).rejects.toBeInstanceOf(FetchFailed);
  });
});

const ALL = buildListingParameters({ take: 100, skip: 0, modifiedAfter: '' });
const SOME = buildListingParameters({ take: 2, skip: 4, modifiedAfter: '2026-01-31T00:00:00.000Z' });

describe('the address of a request for a listing page', () => {
  it('the address of a request contains every parameter of the contract, even if the request selects all items', () => {
    expect(buildRequestAddress('http://shop.example/items', ALL, 'n')).toBe(
      'http://shop.example/items?take=100&skip=0&order=ASC&order_by=date_modified,id&modified_after=1970-01-01T00:00:00.000Z&_nonce=n',
    );
    expect(new URL(buildRequestAddress('https://shop.example', SOME, 'n')).searchParams.get('modified_after')).toBe(
      '2026-01-31T00:00:00.000Z',
    );
  });

  it('the address of a request keeps the customer’s parameters, but replaces parameters with reserved names such as `take`', () => {
    const listing = 'https://shop.example/items?key=a%20b+c&list[]=1&list[]=2&take=5&_nonce=x&%74ake=9&empty#fragment';
    expect(buildRequestAddress(listing, ALL, 'n')).toMatch(
      /^https:\/\/shop\.example\/items\?key=a%20b\+c&list\[\]=1&list\[\]=2&empty&take=100&skip=0&[^#]*_nonce=n$/,
    );
  });

  it('formatRequestForMessages masks the values of the customer’s own parameters', () => {
    expect(formatRequestForMessages('https://shop.example/items?key=secret', SOME)).toBe(
      'GET https://shop.example/items?key=…&take=2&skip=4&order=ASC&order_by=date_modified,id&modified_after=2026-01-31T00:00:00.000Z',
    );
  });
});

describe('Retry-After', () => {
  const now = Date.parse('2026-01-01T00:00:00.000Z');
  it.each([
    ['120', 120_000],
    ['0', 1_000],
    ['1000000', 3_600_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 1_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('parsePauseMs parses the Retry-After value %j as a pause of %s ms', (header, ms) => {
    expect(parsePauseMs(header, now)).toBe(ms);
  });
});
