import type { IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SafeFetch } from './safe-fetch.js';
import type { SafeResponse } from './safe-response.js';
import { createCertificate, type Certificate } from './testing/certificates.js';
import { startHttpServer, startHttpsServer, type LocalServer } from './testing/local-server.js';
import { TestClients } from './testing/test-clients.js';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let certificate: Certificate;
let server: LocalServer;
let tlsServer: LocalServer;
let clients: TestClients;
let client: SafeFetch;
let seen: Seen[];

// `/307?to=…` redirects to that URL; every other path returns a page.
beforeAll(async () => {
  certificate = await createCertificate('one.example', 'two.example');
  const answerRequest: Parameters<typeof startHttpServer>[0] = (request, response) => {
    void readText(request).then((body) => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
      const status = Number(pathname.slice(1));
      const to = searchParams.get('to');
      if (to !== null) response.setHeader('location', to);
      response.writeHead(status || 200).end(status ? 'moved' : 'arrived');
    });
  };
  server = await startHttpServer(answerRequest);
  tlsServer = await startHttpsServer(certificate, answerRequest);
});

beforeEach(() => {
  seen = [];
  clients = new TestClients();
  for (const name of ['one.example', 'two.example']) {
    const address = clients.internet.routeSite(name, server.port);
    clients.internet.routeAddress(address, 443, tlsServer.port);
    clients.internet.routeAddress(address, 8080, server.port);
  }
  client = clients.openClient({ certificateAuthorities: [certificate.cert] });
  return () => clients.closeClients();
});

afterAll(async () => {
  await server.close();
  await tlsServer.close();
});

const buildRedirectUrl = (status: number, ...targets: readonly string[]): string =>
  targets.reduceRight((next, target) => `${target}/${status}?to=${encodeURIComponent(next)}`);

const buildRedirectChain = (length: number): string =>
  buildRedirectUrl(302, ...Array.from({ length }, () => 'http://one.example'), 'http://one.example/end');

describe('a redirect', () => {
  it('a request follows several redirects, and the response lists the redirects', async () => {
    const response = await client.fetch('http://one.example/301?to=/308%3Fto%3Dhttps://two.example/end%23part');
    expect(await response.text()).toBe('arrived');
    expect(response.url).toBe('https://two.example/end');
    expect(response.redirects).toEqual([
      {
        status: 301,
        from: 'http://one.example/301?to=/308%3Fto%3Dhttps://two.example/end%23part',
        to: 'http://one.example/308?to=https://two.example/end',
      },
      { status: 308, from: 'http://one.example/308?to=https://two.example/end', to: 'https://two.example/end' },
    ]);
    expect(response.remoteAddress).toBe('93.184.216.2');
  });

  it('a redirect to the same origin reuses the connection', async () => {
    await (await client.fetch(buildRedirectChain(4))).text();
    expect(clients.internet.attempts).toHaveLength(1);
  });

  it('a request follows five redirects by default, and fails at the sixth', async () => {
    expect((await client.fetch(buildRedirectChain(5))).redirects).toHaveLength(5);
    await expect(client.fetch(buildRedirectChain(6))).rejects.toMatchObject({
      name: 'FetchRefused',
      code: 'too_many_redirects',
      message: 'expected at most 5 redirects, found one more (reached by a redirect from http://one.example/302)',
    });
  });

  it('a request follows as many redirects as its limits allow', async () => {
    await expect(client.fetch(buildRedirectChain(1), { limits: { redirects: 0 } })).rejects.toMatchObject({
      code: 'too_many_redirects',
    });
    expect((await client.fetch(buildRedirectChain(7), { limits: { redirects: 7 } })).redirects).toHaveLength(7);
  });

  it('a redirect to a URL that the same request has already visited is rejected', async () => {
    await expect(client.fetch('http://one.example/302?to=')).rejects.toMatchObject({ code: 'redirect_loop' });
    await expect(client.fetch('http://one.example/302?to=%23top')).rejects.toMatchObject({ code: 'redirect_loop' });
    expect(seen).toHaveLength(2);
  });

  it('a 3xx response is returned to the caller if it has no `location`, or if its status is 300 or 304', async () => {
    for (const url of ['http://one.example/302', 'http://one.example/300?to=/end', 'http://one.example/304?to=/end']) {
      const response = await client.fetch(url);
      expect([response.url, response.redirects]).toEqual([url, []]);
    }
  });

  it('with `followRedirect: false`, a redirect to any target is returned as a response', async () => {
    const response = await client.fetch('http://one.example/302?to=http://10.0.0.1/', { followRedirect: false });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe('http://10.0.0.1/');
    expect(await response.text()).toBe('moved');
  });

  it('a redirect for which the caller’s `followRedirect` returns false is returned as a response', async () => {
    const asked: unknown[] = [];
    const response = await client.fetch(
      buildRedirectUrl(302, 'http://one.example', 'http://two.example', 'http://one.example/end'),
      {
        followRedirect: async (redirect) => {
          asked.push(redirect.to);
          return asked.length < 2;
        },
      },
    );
    expect(asked).toEqual([expect.stringContaining('http://two.example/302'), 'http://one.example/end']);
    expect(response.status).toBe(302);
    expect(response.url).toContain('http://two.example/302');
    expect(response.redirects).toHaveLength(1);
    expect(await response.text()).toBe('moved');
  });

  it("a request fails with the error that the caller's followRedirect throws", async () => {
    const failure = client.fetch(buildRedirectChain(1), {
      followRedirect: () => {
        throw new RangeError('out of scope');
      },
    });
    await expect(failure).rejects.toThrow(new RangeError('out of scope'));
  });

  it('the location of a redirect is decoded as UTF-8 if its bytes are valid UTF-8', async () => {
    const response = await client.fetch(
      `http://one.example/302?to=${encodeURIComponent(Buffer.from('/straße').toString('latin1'))}`,
    );
    expect(response.url).toBe('http://one.example/stra%C3%9Fe');
  });

  it('the location of a redirect is decoded as Latin-1 if its bytes are not valid UTF-8', async () => {
    const response = await client.fetch(`http://one.example/302?to=${encodeURIComponent('/straße')}`);
    expect(response.url).toBe('http://one.example/stra%C3%9Fe');
  });
});

describe('the method of a redirected request', () => {
  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'PUT', 'PUT'],
    [302, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
  ] as const)(
    'after a redirect with status %i, the method %s becomes %s, and the body is kept only if the method is kept',
    async (status, method, expected) => {
      const body =
        method === 'HEAD' ? {} : { body: '{"a":1}', headers: { 'Content-Type': 'application/json', 'X-Plain': '1' } };
      await client.fetch(buildRedirectUrl(status, 'http://one.example', 'http://one.example/end'), { method, ...body });
      const [first, last] = seen;
      expect(first?.method).toBe(method);
      expect(last?.method).toBe(expected);
      expect(last?.body).toBe(expected === method && method !== 'HEAD' ? '{"a":1}' : '');
      expect(last?.headers['content-type']).toBe(
        expected === method && method !== 'HEAD' ? 'application/json' : undefined,
      );
      expect(last?.headers['x-plain']).toBe(method === 'HEAD' ? undefined : '1');
    },
  );
});

describe('a secret header', () => {
  const headers = { Authorization: 'Bearer 1', Cookie: 'a=b', 'X-Plain': 'p' };
  const secretHeaders = { 'X-Api-Key': 'k' };
  const listReceivedSecrets = (at: Seen | undefined): unknown[] => [
    at?.headers.authorization,
    at?.headers.cookie,
    at?.headers['x-api-key'],
    at?.headers['x-plain'],
  ];
  const fetchWithHeaders = (url: string): Promise<SafeResponse> => client.fetch(url, { headers, secretHeaders });

  it('a secret header is also sent after a redirect to the same origin', async () => {
    await fetchWithHeaders(buildRedirectUrl(302, 'https://one.example', 'https://one.example/end'));
    expect(seen.map(listReceivedSecrets)).toEqual(Array(2).fill(['Bearer 1', 'a=b', 'k', 'p']));
  });

  it.each(['http://two.example', 'http://one.example:8080', 'https://one.example'])(
    'a secret header is not sent from http://one.example to %s, which is another origin',
    async (target) => {
      await fetchWithHeaders(buildRedirectUrl(302, 'http://one.example', `${target}/end`));
      expect(seen.map(listReceivedSecrets)).toEqual([
        ['Bearer 1', 'a=b', 'k', 'p'],
        [undefined, undefined, undefined, 'p'],
      ]);
    },
  );

  it('a secret header is not sent when a redirect through another origin returns to the first origin', async () => {
    await fetchWithHeaders(buildRedirectUrl(302, 'http://one.example', 'http://two.example', 'http://one.example/end'));
    expect(seen.map((at) => at.headers['x-api-key'])).toEqual(['k', undefined, undefined]);
  });

  it('a request with a secret header rejects a redirect from https to http, even on the same host', async () => {
    for (const to of ['http://one.example/end', 'http://two.example/end']) {
      await expect(fetchWithHeaders(buildRedirectUrl(302, 'https://one.example', to))).rejects.toMatchObject({
        name: 'FetchRefused',
        code: 'insecure_redirect',
      });
    }
    expect(seen).toHaveLength(2);
  });

  it('a redirect from https to http is allowed after a redirect to another origin has removed the secret header', async () => {
    const response = await fetchWithHeaders(
      buildRedirectUrl(302, 'https://one.example', 'https://two.example', 'http://one.example/end'),
    );
    expect(await response.text()).toBe('arrived');
  });

  it('a request without a secret header may be redirected from https to http', async () => {
    const response = await client.fetch(buildRedirectUrl(302, 'https://one.example', 'http://one.example/end'));
    expect(response.url).toBe('http://one.example/end');
  });
});
