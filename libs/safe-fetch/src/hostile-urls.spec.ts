import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isFetchError } from './fetch-error.js';
import { createSafeFetch, type SafeFetch } from './safe-fetch.js';
import { HOSTILE_NAMES, HOSTILE_URLS } from './testing/hostile-urls.js';
import { startTcpServer, type LocalServer } from './testing/local-server.js';
import { SimulatedInternet } from './testing/simulated-internet.js';

let canary: LocalServer;
let redirector: LocalServer;
let internet: SimulatedInternet;
let client: SafeFetch;
let location: string;

beforeAll(async () => {
  canary = await startTcpServer((socket) => socket.destroy());
  // A TCP server, because an HTTP server would reject some of the locations.
  redirector = await startTcpServer((socket) => {
    socket.once('data', () => socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`));
  });
});

beforeEach(() => {
  internet = new SimulatedInternet();
  internet.routeSite('shop.example', redirector.port);
  for (const [name, addresses] of Object.entries(HOSTILE_NAMES)) internet.setAddresses(name, addresses);
  client = createSafeFetch({ userAgent: 'test/1', resolver: internet.resolver, connector: internet.connector });
  return () => client.close();
});

afterAll(async () => {
  await canary.close();
  await redirector.close();
});

const fetchResultOrError = async (url: string): Promise<unknown> =>
  client.fetch(url).then(
    (response) => `response from ${response.remoteAddress}`,
    (error: unknown) => (isFetchError(error) ? error.code : error),
  );

const toCanaryUrl = (url: string): string => url.replaceAll('PORT', String(canary.port));

describe('a URL whose target is not the public internet', () => {
  it('HOSTILE_URLS contains more than 300 different URLs', () => {
    expect(HOSTILE_URLS.length).toBeGreaterThan(300);
    expect(new Set(HOSTILE_URLS.map(([url]) => url)).size).toBe(HOSTILE_URLS.length);
  });

  it.each(HOSTILE_URLS)('the URL %j is rejected with %s, without a connection attempt', async (url, code) => {
    expect(await fetchResultOrError(toCanaryUrl(url))).toBe(code);
    expect(internet.attempts).toEqual([]);
    expect(canary.countConnections()).toBe(0);
  });
});

// Excludes texts that are relative URLs in a redirect, because they lead to the site of the redirecting page.
const isAbsolute = ([url]: readonly [string, string]): boolean => /^\s*[a-z]/i.test(url) && /[:]/.test(url);

describe('a redirect whose target is not the public internet', () => {
  const isHeaderText = ([url]: readonly [string, string]): boolean => !/[\t\r\n]/.test(url);
  const isSameScheme = ([url]: readonly [string, string]): boolean => /^http:(?!\/\/|\\)/.test(url);
  const targets = HOSTILE_URLS.filter((entry) => isAbsolute(entry) && isHeaderText(entry) && !isSameScheme(entry));

  it.each(targets)(
    'a redirect to %j is rejected with %s, after one connection to the redirecting page',
    async (url, code) => {
      location = toCanaryUrl(url);
      expect(await fetchResultOrError('http://shop.example/')).toBe(code);
      expect(internet.attempts).toEqual([{ address: '93.184.216.1', port: 80 }]);
      expect(canary.countConnections()).toBe(0);
    },
  );

  it('the error of a rejected redirect names the redirecting page', async () => {
    location = 'http://169.254.169.254/latest/meta-data/';
    await expect(client.fetch('http://shop.example/from?token=secret')).rejects.toThrow(
      'expected a public address, found 169.254.169.254, a link-local address (reached by a redirect from http://shop.example/from)',
    );
  });
});

describe('a protocol-relative redirect', () => {
  it('a redirect to a protocol-relative URL such as //127.0.0.1/ is rejected if the address is private', async () => {
    location = `//127.0.0.1:${canary.port}/`;
    expect(await fetchResultOrError('http://shop.example/')).toBe('address_not_public');
    expect(canary.countConnections()).toBe(0);
  });
});

describe('a private host name', () => {
  it('the error for a host name with a private address contains the address in the field `address`, not in the message', async () => {
    const refusal = client.fetch('http://private.example/');
    await expect(refusal).rejects.toThrow(
      "expected 'private.example' to have public addresses only, found that it has an address of a private network",
    );
    await expect(refusal).rejects.toMatchObject({ address: '10.0.0.1' });
  });

  it('a URL whose host name has a private suffix such as .internal is rejected without a DNS query', async () => {
    expect(await fetchResultOrError('http://vault.service.internal/')).toBe('address_not_public');
    expect(internet.lookUps).toEqual([]);
  });
});
