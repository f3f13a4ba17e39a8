import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitForValue } from './testing/wait-for-value.js';
import type { FetchFailed } from './fetch-error.js';
import type { SafeFetch, SafeFetchSettings } from './safe-fetch.js';
import { createCertificate, type Certificate } from './testing/certificates.js';
import { startHttpServer, startHttpsServer, startTcpServer, type LocalServer } from './testing/local-server.js';
import type { SimulatedInternet } from './testing/simulated-internet.js';
import { TestClients } from './testing/test-clients.js';

vi.setConfig({ testTimeout: 30_000 });

let server: LocalServer;
let internet: SimulatedInternet;
let clients: TestClients;

beforeAll(async () => {
  server = await startHttpServer((request, response) => response.end(request.headers.host));
});

beforeEach(() => {
  clients = new TestClients();
  internet = clients.internet;
  return () => clients.closeClients();
});

afterAll(() => server.close());

const openClient = (settings?: Partial<SafeFetchSettings>): SafeFetch => clients.openClient(settings);

const fetchText = async (client: SafeFetch, url: string): Promise<string> => (await client.fetch(url)).text();

describe('a connection to a name', () => {
  it('a connection goes to the checked address, even if a second DNS query would return another address', async () => {
    const address = internet.routeSite('rebind.example', server.port);
    const answers = [[address], ['127.0.0.1'], ['127.0.0.1']];
    internet.setAddresses('rebind.example', () => answers.shift() ?? ['127.0.0.1']);
    const response = await openClient().fetch('http://rebind.example/');
    expect(await response.text()).toBe('rebind.example');
    expect(response.remoteAddress).toBe(address);
    expect(internet.lookUps).toEqual(['rebind.example']);
    expect(internet.attempts).toEqual([{ address, port: 80 }]);
  });

  it('a second connection to a name is rejected if the name then resolves to a private address', async () => {
    const address = internet.routeSite('rebind.example', server.port);
    const answers = [[address], ['127.0.0.1']];
    internet.setAddresses('rebind.example', () => answers.shift() ?? []);
    const client = openClient({ limits: { connectionAgeMs: 1 } });
    await fetchText(client, 'http://rebind.example/');
    // With a maximum age of one millisecond, the next request needs a new connection.
    let outcome: unknown = 'rebind.example';
    while (outcome === 'rebind.example') {
      outcome = await fetchText(client, 'http://rebind.example/').catch((error: unknown) => error);
    }
    expect(outcome).toMatchObject({ code: 'address_not_public' });
    expect(internet.attempts).toEqual([{ address, port: 80 }]);
  });

  it('a request sends the name with its port in the Host header', async () => {
    internet.routeSite('shop.example', server.port, 8080);
    expect(await fetchText(openClient(), 'http://shop.example:8080/')).toBe('shop.example:8080');
  });

  it('a request on a reused connection to the same origin needs no DNS query', async () => {
    internet.routeSite('shop.example', server.port);
    const client = openClient();
    const before = server.countConnections();
    for (const path of ['a', 'b', 'c']) await fetchText(client, `http://shop.example/${path}`);
    expect(server.countConnections() - before).toBe(1);
    expect(internet.lookUps).toEqual(['shop.example']);
  });

  it('requests to two host names with the same address do not share a connection', async () => {
    const address = internet.routeSite('one.example', server.port);
    internet.setAddresses('two.example', [address]);
    const client = openClient();
    expect(await fetchText(client, 'http://one.example/')).toBe('one.example');
    expect(await fetchText(client, 'http://two.example/')).toBe('two.example');
    expect(internet.attempts).toHaveLength(2);
  });

  it('concurrent requests to one origin open at most as many connections as `connectionsPerOrigin` allows', async () => {
    internet.routeSite('shop.example', server.port);
    const client = openClient({ limits: { connectionsPerOrigin: 3 } });
    const before = server.countConnections();
    const answers = await Promise.all(Array.from({ length: 40 }, () => fetchText(client, 'http://shop.example/')));
    expect(new Set(answers)).toEqual(new Set(['shop.example']));
    expect(server.countConnections() - before).toBeLessThanOrEqual(3);
  });

  it('if requests to one host are rejected, concurrent requests to another host succeed', async () => {
    internet.routeSite('shop.example', server.port);
    internet.setAddresses('private.example', ['10.0.0.1']);
    const client = openClient();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, turn) =>
        fetchText(client, `http://${turn % 2 === 0 ? 'shop' : 'private'}.example/`),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, (_, turn) => (turn % 2 === 0 ? 'fulfilled' : 'rejected')),
    );
  });

  it('a request to an address that the operator blocks opens no connection', async () => {
    internet.routeSite('shop.example', server.port);
    const client = openClient({ blockedRanges: ['93.184.216.0/24'] });
    await expect(fetchText(client, 'http://shop.example/')).rejects.toMatchObject({ code: 'address_not_public' });
    expect(internet.attempts).toEqual([]);
  });
});

describe('a name with several addresses', () => {
  it('a request reaches the second address of a name if the first address refuses the connection', async () => {
    internet.setAddresses('shop.example', ['93.184.215.1', '93.184.215.2']);
    internet.routeAddress('93.184.215.2', 80, server.port);
    const response = await openClient().fetch('http://shop.example/');
    expect(response.remoteAddress).toBe('93.184.215.2');
    expect(internet.attempts.map(({ address }) => address)).toEqual(['93.184.215.1', '93.184.215.2']);
  });

  it('a request reaches the second address of a name if the first does not respond, and aborts the first attempt', async () => {
    internet.setAddresses('shop.example', ['93.184.215.1', '93.184.215.2']);
    internet.routeAddress('93.184.215.2', 80, server.port);
    const silent = { signal: new AbortController().signal };
    const response = await openClient({
      connector: (to, signal) => {
        if (to.address !== '93.184.215.1') return internet.connector(to, signal);
        silent.signal = signal;
        return new Promise<Socket>(() => undefined);
      },
    }).fetch('http://shop.example/');
    expect(response.remoteAddress).toBe('93.184.215.2');
    expect(silent.signal.aborted).toBe(true);
  });

  it('a request to a name with two addresses closes the slower of the two connections', async () => {
    internet.setAddresses('shop.example', ['93.184.215.1', '93.184.215.2']);
    internet.routeAddress('93.184.215.1', 80, server.port);
    internet.routeAddress('93.184.215.2', 80, server.port);
    let release: (() => void) | undefined;
    let late: Promise<Socket> | undefined;
    const client = openClient({
      connector: (to, signal) => {
        if (to.address === '93.184.215.2') return internet.connector(to, signal);
        const gate = new Promise<void>((resolve) => (release = resolve));
        late = gate.then(() => internet.connector(to, new AbortController().signal));
        return late;
      },
    });
    await fetchText(client, 'http://shop.example/');
    release?.();
    const socket = await late;
    if (socket?.destroyed === false) await once(socket, 'close');
    expect(socket?.destroyed).toBe(true);
  });

  it('the error for an unreachable host contains the error of each address', async () => {
    internet.setAddresses('shop.example', ['93.184.215.1', '2606::1']);
    await expect(openClient().fetch('http://shop.example/')).rejects.toMatchObject({
      code: 'connect_failed',
      message: 'expected a connection on port 80, found none (93.184.215.1: EPRETEND; 2606::1: EPRETEND)',
    });
  });
});

describe('a name that cannot be resolved', () => {
  it('a request fails with dns_failed if the name does not exist or has no address', async () => {
    internet.setAddresses('empty.example', []);
    for (const url of ['http://nowhere.example/', 'http://empty.example/']) {
      await expect(openClient().fetch(url)).rejects.toMatchObject({ name: 'FetchFailed', code: 'dns_failed' });
    }
  });

  it('a request fails with timeout if the name server does not respond', async () => {
    const client = openClient({ resolver: () => new Promise(() => undefined), limits: { connectMs: 20 } });
    await expect(client.fetch('http://slow.example/')).rejects.toMatchObject({
      code: 'timeout',
      message: "expected a connection to 'slow.example' within 20 ms, found none",
    });
  });
});

describe('a connection that opens after its timeout', () => {
  it('the client closes a connection that opens after its timeout', async () => {
    internet.routeSite('late.example', server.port);
    let releaseGate = (): void => undefined;
    const gate = new Promise<void>((resolve) => (releaseGate = resolve));
    let late: Promise<Socket> | undefined;
    const client = openClient({
      limits: { connectMs: 20 },
      connector: (to) => (late = gate.then(() => internet.connector(to, new AbortController().signal))),
    });
    await expect(client.fetch('http://late.example/')).rejects.toMatchObject({ code: 'timeout' });
    releaseGate();
    const socket = await late;
    await waitForValue(() => socket?.destroyed, true);
  });
});

describe('localhost', () => {
  it('with `allowLoopback`, a request to localhost reaches the loopback address without a DNS query', async () => {
    const client = openClient({ allowLoopback: true });
    expect(await fetchText(client, `http://localhost:${server.port}/`)).toBe(`localhost:${server.port}`);
    expect(await fetchText(client, `http://127.0.0.1:${server.port}/`)).toBe(`127.0.0.1:${server.port}`);
    expect(internet.lookUps).toEqual([]);
  });
});

describe('a TLS connection', () => {
  let certificate: Certificate;
  let tlsServer: LocalServer;
  const servernames: unknown[] = [];

  beforeAll(async () => {
    certificate = await createCertificate('shop.example', '93.184.215.8');
    tlsServer = await startHttpsServer(certificate, (request, response) => {
      servernames.push('servername' in request.socket ? request.socket.servername : undefined);
      response.end('secret page');
    });
  });

  afterAll(() => tlsServer.close());

  const openTrustingClient = (): SafeFetch => openClient({ certificateAuthorities: [certificate.cert] });

  it('a TLS connection verifies the host name against the certificate, although the socket connects to an IP address', async () => {
    internet.routeSite('shop.example', tlsServer.port, 443);
    expect(await fetchText(openTrustingClient(), 'https://shop.example/')).toBe('secret page');
    expect(servernames.at(-1)).toBe('shop.example');
  });

  it('a TLS connection fails with tls_failed if the certificate is for another name', async () => {
    internet.routeSite('bank.example', tlsServer.port, 443);
    await expect(openTrustingClient().fetch('https://bank.example/')).rejects.toMatchObject({ code: 'tls_failed' });
  });

  it('a TLS connection to a URL with an IP address accepts a certificate for that address', async () => {
    internet.routeAddress('93.184.215.8', 443, tlsServer.port);
    expect(await fetchText(openTrustingClient(), 'https://93.184.215.8/')).toBe('secret page');
  });

  it('a TLS connection to a URL with an IP address fails with tls_failed if the certificate is for a name', async () => {
    internet.routeAddress('93.184.215.9', 443, tlsServer.port);
    await expect(openTrustingClient().fetch('https://93.184.215.9/')).rejects.toMatchObject({ code: 'tls_failed' });
  });

  it('a TLS connection fails with tls_failed for an untrusted certificate, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    internet.routeSite('shop.example', tlsServer.port, 443);
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      await expect(openClient().fetch('https://shop.example/')).rejects.toMatchObject({ code: 'tls_failed' });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('a TLS connection fails with tls_failed if the server does not support TLS or closes the connection', async () => {
    const rude = await startTcpServer((socket) => socket.destroy());
    internet.routeSite('plain.example', server.port, 443);
    internet.routeSite('rude.example', rude.port, 443);
    for (const url of ['https://plain.example/', 'https://rude.example/']) {
      await expect(openClient().fetch(url)).rejects.toMatchObject({ code: 'tls_failed' });
    }
    await rude.close();
  });

  it('a TLS connection fails with timeout, and is closed, if the handshake does not complete', async () => {
    const mute = await startTcpServer((socket) => socket.resume());
    internet.routeSite('mute.example', mute.port, 443);
    const failure = openClient({ limits: { connectMs: 50 } }).fetch('https://mute.example/');
    await expect(failure).rejects.toMatchObject({ code: 'timeout' } satisfies Partial<FetchFailed>);
    await waitForValue(() => mute.countOpenConnections(), 0);
    await mute.close();
  });
});
