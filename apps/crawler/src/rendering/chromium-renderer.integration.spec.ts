import { existsSync } from 'node:fs';
import { createServer, type Server, type AddressInfo } from 'node:net';
import { createSafeFetch } from '@quarry/safe-fetch';
import { SimulatedInternet } from '@quarry/safe-fetch/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHtmlReader } from '../pages/html/html-reader.js';
import { startLocalSite, type LocalSite } from '../testing/local-site.js';
import { buildPageJob, buildSiteJob, startTestCrawler, type TestCrawler } from '../testing/test-crawler.js';

const CANDIDATES = [process.env['QUARRY_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const executable = CANDIDATES.find((path) => path !== undefined && existsSync(path));
const where =
  executable === undefined ? 'skipped: no Chromium was found, set QUARRY_CHROMIUM to its path' : `in ${executable}`;

const TEXT = 'The warranty of the lamp lasts three years, and is handled in the shop in Lisbon. '.repeat(4).trim();
const buildShell = (script: string): string =>
  `<!doctype html><html lang="en"><head><title>Lamp</title></head><body><div id="root"></div><script>${script}</script></body></html>`;

describe.skipIf(executable === undefined)(`rendering of pages built by scripts, ${where}`, { timeout: 120_000 }, () => {
  const reader = createHtmlReader({ threads: 1, timeoutMs: 30_000, memoryMb: 256 });
  afterAll(() => reader.close());
  const rendering = { executable: executable ?? '', sandbox: process.getuid?.() !== 0, timeoutMs: 20_000 };
  const ORIGIN = 'http://site.example';
  let site: LocalSite;
  let internet: SimulatedInternet;
  let crawler: TestCrawler;
  let canary: Server;
  let connections: number;
  let canaryPort: number;

  beforeEach(async () => {
    site = await startLocalSite();
    internet = new SimulatedInternet();
    internet.routeSite('site.example', Number(new URL(site.origin).port));
    connections = 0;
    canary = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    canaryPort = (canary.address() as AddressInfo).port; // a TCP server always has an address of this type
    const { resolver, connector } = internet;
    const safeFetch = createSafeFetch({ userAgent: 'test/1', resolver, connector });
    crawler = startTestCrawler({ html: reader, safeFetch, settings: { rendering, allowLoopback: false } });
  });
  afterEach(async () => {
    await crawler.close();
    await site.close();
    await new Promise((resolve) => canary.close(resolve));
  });

  const serveShell = (path: string, script: string): void => {
    site.app.get(path, (_request, response) => void response.type('html').send(buildShell(script)));
  };

  it('a crawl indexes the text that the scripts of a page create, and follows the links that they create', async () => {
    site.app.get('/app.js', (_request, response) => {
      const script = `fetch('/api/lamp').then((r) => r.json()).then((lamp) => {
        document.getElementById('root').innerHTML = '<main><h1>Lamp</h1><p>' + lamp.text + '</p><a href="/next">next</a></main>';
      });`;
      response.type('text/javascript').send(script);
    });
    site.app.get('/api/lamp', (_request, response) => void response.json({ text: TEXT }));
    site.app.get('/', (_request, response) => {
      response.type('html').set('etag', '"shell"').send('<div id="root"></div><script src="/app.js"></script>');
    });
    site.app.get('/next', (_request, response) => void response.type('html').send(`<p>${TEXT} Next.</p>`));
    const output = await crawler.run('crawl-site', buildSiteJob({ rootUrl: `${ORIGIN}/` }));
    expect(output.settled).toEqual([]);
    expect(output.indexed.map(({ documentKey }) => documentKey)).toEqual([`${ORIGIN}/`, `${ORIGIN}/next`]);
    expect(await crawler.readBlob(output.indexed[0]?.blobKey ?? '')).toContain('lasts three years');
    expect(site.requests.filter((path) => path === '/')).toHaveLength(1);
    const again = await crawler.run('crawl-site', buildSiteJob({ rootUrl: `${ORIGIN}/` }, 'run-2'));
    expect(again.indexed).toHaveLength(2);
    expect(site.requests.filter((path) => path === '/api/lamp')).toHaveLength(2);
  });

  it('the renderer blocks all requests of a page to private addresses and other forbidden targets', async () => {
    const privateHost = `127.0.0.1:${canaryPort}`;
    const script = `
      const requests = [];
      for (const host of ['${privateHost}', 'localhost:${canaryPort}', '[::ffff:127.0.0.1]:${canaryPort}', '169.254.169.254', '10.0.0.1']) {
        requests.push(fetch('http://' + host + '/fetch', { mode: 'no-cors' }).then(() => 'reached', () => 'refused'));
        navigator.sendBeacon('http://' + host + '/beacon', 'x');
        try { new WebSocket('ws://' + host + '/socket'); } catch {}
        try { new EventSource('http://' + host + '/events'); } catch {}
        for (const [tag, key] of [['img', 'src'], ['iframe', 'src'], ['script', 'src'], ['link', 'href'], ['video', 'src'], ['object', 'data']]) {
          const element = document.createElement(tag);
          if (tag === 'link') element.rel = 'preload';
          element[key] = 'http://' + host + '/' + tag;
          document.body.append(element);
        }
        for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'stylesheet', 'prerender']) {
          const link = document.createElement('link');
          link.rel = rel;
          link.href = 'http://' + host + '/' + rel;
          document.head.append(link);
        }
        try {
          const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:' + host.replace('[', '').replace(']', '') }, { urls: 'turn:' + host + '?transport=tcp', username: 'u', credential: 'c' }] });
          peer.createDataChannel('x');
          void peer.createOffer().then((offer) => peer.setLocalDescription(offer));
        } catch {}
      }
      try { new Worker(URL.createObjectURL(new Blob(["fetch('http://${privateHost}/worker')"]))); } catch {}
      window.open('http://${privateHost}/window');
      setTimeout(() => { location.href = 'http://${privateHost}/moved'; }, 50);
      Promise.all(requests).then((all) => {
        document.getElementById('root').textContent = '${TEXT} ' + all.join(' ');
      });`;
    serveShell('/', script);
    const output = await crawler.run('crawl-page', buildPageJob(`${ORIGIN}/`));
    const text = await crawler.readBlob(output.indexed[0]?.blobKey ?? '');
    expect(text).toContain('refused refused refused refused refused');
    expect(text).not.toContain('reached');
    expect(connections).toBe(0);
    expect(new Set(internet.attempts.map(({ address }) => address))).toEqual(new Set(['93.184.216.1']));
    expect(internet.lookUps.filter((name) => name !== 'site.example')).toEqual([]);
  });

  it('the renderer does not fetch data for a page if robots.txt disallows the URL of the data', async () => {
    site.app.get(
      '/robots.txt',
      (_request, response) => void response.type('text').send('User-agent: *\nDisallow: /api/'),
    );
    site.app.get('/api/lamp', (_request, response) => void response.json({ text: TEXT }));
    serveShell(
      '/',
      `fetch('/api/lamp').then((r) => r.json()).then((lamp) => { document.body.textContent = lamp.text; });`,
    );
    const output = await crawler.run('crawl-page', buildPageJob(`${ORIGIN}/`));
    expect(output.statuses.at(-1)).toMatchObject({ status: 'error', code: 'needs_rendering' });
    expect(output.statuses.at(-1)?.message).toContain('still contains no text after it was rendered');
    expect(site.requests).toEqual(['/']);
  });

  it('the renderer stops rendering a page at the time limit, and renders the next page', async () => {
    await crawler.close();
    const { resolver, connector } = internet;
    const safeFetch = createSafeFetch({ userAgent: 'test/1', resolver, connector });
    const settings = { rendering: { ...rendering, timeoutMs: 8_000 }, allowLoopback: false };
    crawler = startTestCrawler({ html: reader, safeFetch, settings });
    serveShell('/endless', 'for (;;);');
    serveShell('/good', `document.getElementById('root').textContent = '${TEXT}';`);
    const endless = await crawler.run('crawl-page', buildPageJob(`${ORIGIN}/endless`));
    expect(endless.statuses.at(-1)).toMatchObject({ code: 'needs_rendering' });
    expect(endless.statuses.at(-1)?.message).toContain('render within 8000 ms');
    const good = await crawler.run('crawl-page', buildPageJob(`${ORIGIN}/good`, 'run-2'));
    expect(good.indexed).toHaveLength(1);
  });

  it('the renderer reports an error for a page whose scripts create more HTML than the maximum page size', async () => {
    await crawler.close();
    const { resolver, connector } = internet;
    const safeFetch = createSafeFetch({ userAgent: 'test/1', resolver, connector });
    const settings = { rendering, allowLoopback: false, maxPageBytes: 100_000 };
    crawler = startTestCrawler({ html: reader, safeFetch, settings });
    serveShell('/', `document.getElementById('root').textContent = 'é'.repeat(60_000);`);
    const output = await crawler.run('crawl-page', buildPageJob(`${ORIGIN}/`));
    expect(output.statuses.at(-1)).toMatchObject({ code: 'needs_rendering' });
    expect(output.statuses.at(-1)?.message).toContain('at most 100000 bytes of rendered HTML, found 120');
  });

  it('the renderer blocks requests for data whose URL and headers are longer than 16,384 characters', async () => {
    site.app.get('/api/lamp', (_request, response) => void response.json({ text: TEXT }));
    const script = `
      const load = (query, accept) => fetch('/api/lamp?' + query, { headers: { accept } }).then(() => 'reached', () => 'refused');
      Promise.all([load('a', 'x'.repeat(17_000)), load('b'.repeat(17_000), 'x'), load('c', 'x')]).then((all) => {
        document.getElementById('root').textContent = '${TEXT} ' + all.join(' ');
      });`;
    serveShell('/', script);
    const output = await crawler.run('crawl-page', buildPageJob(`${ORIGIN}/`));
    expect(await crawler.readBlob(output.indexed[0]?.blobKey ?? '')).toContain('refused refused reached');
  });

  it('the renderer reports an error with the reason if the browser does not start', async () => {
    await crawler.close();
    const { resolver, connector } = internet;
    const safeFetch = createSafeFetch({ userAgent: 'test/1', resolver, connector });
    const settings = { rendering: { ...rendering, executable: '/nowhere/chromium' }, allowLoopback: false };
    crawler = startTestCrawler({ html: reader, safeFetch, settings });
    serveShell('/', 'x');
    const output = await crawler.run('crawl-page', buildPageJob(`${ORIGIN}/`));
    expect(output.statuses.at(-1)).toMatchObject({ code: 'needs_rendering' });
    expect(output.statuses.at(-1)?.message).toContain('/nowhere/chromium to start');
  });
});
