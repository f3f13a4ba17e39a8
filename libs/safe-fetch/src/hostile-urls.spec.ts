import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isFetchError } from './fetch-error.js';
import { createSafeFetch, type SafeFetch } from './safe-fetch.js';
import { HOSTILE_NAMES, HOSTILE_URLS } from './testing/hostile-urls.js';
import { tcpServer, type LocalServer } from './testing/local-server.js';
import { PretendInternet } from './testing/pretend-internet.js';

let canary: LocalServer;
let redirector: LocalServer;
let internet: PretendInternet;
let client: SafeFetch;
let location: string;

beforeAll(async () => {
  canary = await tcpServer((socket) => socket.destroy());
  // Raw bytes, because an HTTP server would not send some of these locations.
  redirector = await tcpServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`));
  });
});

beforeEach(() => {
  internet = new PretendInternet();
  internet.site('shop.example', redirector.port);
  for (const [name, addresses] of Object.entries(HOSTILE_NAMES)) internet.name(name, addresses);
  client = createSafeFetch({ userAgent: 'test/1', resolver: internet.resolver, connector: internet.connector });
  return () => client.close();
});

afterAll(async () => {
  await canary.close();
  await redirector.close();
});

const outcomeOf = async (url: string): Promise<unknown> =>
  client.fetch(url).then(
    (response) => `answered by ${response.remoteAddress}`,
    (error: unknown) => (isFetchError(error) ? error.code : error),
  );

const atCanary = (url: string): string => url.replaceAll('PORT', String(canary.port));

describe('a URL that does not lead to the public internet', () => {
  it('comes in more than 300 spellings here', () => {
    expect(HOSTILE_URLS.length).toBeGreaterThan(300);
    expect(new Set(HOSTILE_URLS.map(([url]) => url)).size).toBe(HOSTILE_URLS.length);
  });

  it.each(HOSTILE_URLS)('%j is refused with %s, and no connection is tried', async (url, code) => {
    expect(await outcomeOf(atCanary(url))).toBe(code);
    expect(internet.attempts).toEqual([]);
    expect(canary.connections()).toBe(0);
  });
});

// Against the base of the redirecting page these are addresses on its own site, or say nothing at all.
const isAbsolute = ([url]: readonly [string, string]): boolean => /^\s*[a-z]/i.test(url) && /[:]/.test(url);

describe('a redirect that does not lead to the public internet', () => {
  const isHeaderText = ([url]: readonly [string, string]): boolean => !/[\t\r\n]/.test(url);
  const isSameScheme = ([url]: readonly [string, string]): boolean => /^http:(?!\/\/|\\)/.test(url);
  const targets = HOSTILE_URLS.filter((entry) => isAbsolute(entry) && isHeaderText(entry) && !isSameScheme(entry));

  it.each(targets)('to %j is refused with %s after one connection, to the page that redirects', async (url, code) => {
    location = atCanary(url);
    expect(await outcomeOf('http://shop.example/')).toBe(code);
    expect(internet.attempts).toEqual([{ address: '93.184.216.1', port: 80 }]);
    expect(canary.connections()).toBe(0);
  });

  it('says in its message where it was sent from', async () => {
    location = 'http://169.254.169.254/latest/meta-data/';
    await expect(client.fetch('http://shop.example/from?token=secret')).rejects.toThrow(
      'expected a public address, found 169.254.169.254, a link-local address (reached by a redirect from http://shop.example/from)',
    );
  });
});

describe('a protocol-relative redirect', () => {
  it('is held to the same rules', async () => {
    location = `//127.0.0.1:${canary.port}/`;
    expect(await outcomeOf('http://shop.example/')).toBe('address_not_public');
    expect(canary.connections()).toBe(0);
  });
});

describe('the name of a private host', () => {
  it('is refused in words that leave its address out, which only the log gets', async () => {
    const refusal = client.fetch('http://private.example/');
    await expect(refusal).rejects.toThrow(
      "expected 'private.example' to have public addresses only, found that it has an address of a private network",
    );
    await expect(refusal).rejects.toMatchObject({ address: '10.0.0.1' });
  });

  it('is not even looked up when its ending says that it is private', async () => {
    expect(await outcomeOf('http://vault.service.internal/')).toBe('address_not_public');
    expect(internet.lookUps).toEqual([]);
  });
});
