import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createSafeFetch } from '@quarry/safe-fetch';
import { PretendInternet } from '@quarry/safe-fetch/testing';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { htmlReader } from '../pages/html-reader.js';
import { localSite, type LocalSite } from '../testing/local-site.js';
import { pageJob, siteJob, testCrawler, type TestCrawler } from '../testing/test-crawler.js';

const CANDIDATES = [process.env['QUARRY_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser'];
const executable = CANDIDATES.find((path) => path !== undefined && existsSync(path));
const where = executable === undefined ? 'skipped: there is no Chromium here (QUARRY_CHROMIUM)' : `in ${executable}`;

const TEXT = 'The warranty of the lamp lasts three years, and is handled in the shop in Lisbon. '.repeat(4).trim();
const SHELL = (script: string): string =>
  `<!doctype html><html lang="en"><head><title>Lamp</title></head><body><div id="root"></div><script>${script}</script></body></html>`;

describe.skipIf(executable === undefined)(`pages that are built by scripts, ${where}`, { timeout: 120_000 }, () => {
  const reader = htmlReader({ threads: 1, timeoutMs: 30_000, memoryMb: 256 });
  afterAll(() => reader.close());
  const rendering = { executable: executable ?? '', sandbox: process.getuid?.() !== 0, timeoutMs: 20_000 };
  const ORIGIN = 'http://site.example';
  let site: LocalSite;
  let internet: PretendInternet;
  let crawler: TestCrawler;
  let canary: Server;
  let visitors: number;
  let canaryPort: number;

  beforeEach(async () => {
    site = await localSite();
    internet = new PretendInternet();
    internet.site('site.example', Number(new URL(site.origin).port));
    visitors = 0;
    canary = createServer((socket) => {
      visitors += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    canaryPort = (canary.address() as AddressInfo).port; // a TCP server's address is always of this form
    const { resolver, connector } = internet;
    const safeFetch = createSafeFetch({ userAgent: 'test/1', resolver, connector });
    crawler = testCrawler({ html: reader, safeFetch, settings: { rendering, allowLoopback: false } });
  });
  afterEach(async () => {
    await crawler.close();
    await site.close();
    await new Promise((resolve) => canary.close(resolve));
  });

  const shell = (path: string, script: string): void => {
    site.app.get(path, (_request, response) => void response.type('html').send(SHELL(script)));
  };

  it('are indexed with the text and the links that the scripts put in, from files and data of the site', async () => {
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
    const told = await crawler.run('crawl-site', siteJob({ rootUrl: `${ORIGIN}/` }));
    expect(told.settled).toEqual([]);
    expect(told.indexed.map(({ documentKey }) => documentKey)).toEqual([`${ORIGIN}/`, `${ORIGIN}/next`]);
    expect(await crawler.blob(told.indexed[0]?.blobKey ?? '')).toContain('lasts three years');
    expect(site.requests.filter((path) => path === '/')).toHaveLength(1);
    const again = await crawler.run('crawl-site', siteJob({ rootUrl: `${ORIGIN}/` }, 'run-2'));
    expect(again.indexed).toHaveLength(2);
    expect(site.requests.filter((path) => path === '/api/lamp')).toHaveLength(2);
  });

  it('reach nothing that the guard refuses, by whatever way', async () => {
    const private_ = `127.0.0.1:${canaryPort}`;
    const ways = `
      const tries = [];
      for (const host of ['${private_}', 'localhost:${canaryPort}', '[::ffff:127.0.0.1]:${canaryPort}', '169.254.169.254', '10.0.0.1']) {
        tries.push(fetch('http://' + host + '/fetch', { mode: 'no-cors' }).then(() => 'reached', () => 'refused'));
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
      try { new Worker(URL.createObjectURL(new Blob(["fetch('http://${private_}/worker')"]))); } catch {}
      window.open('http://${private_}/window');
      setTimeout(() => { location.href = 'http://${private_}/moved'; }, 50);
      Promise.all(tries).then((all) => {
        document.getElementById('root').textContent = '${TEXT} ' + all.join(' ');
      });`;
    shell('/', ways);
    const told = await crawler.run('crawl-page', pageJob(`${ORIGIN}/`));
    const text = await crawler.blob(told.indexed[0]?.blobKey ?? '');
    expect(text).toContain('refused refused refused refused refused');
    expect(text).not.toContain('reached');
    expect(visitors).toBe(0);
    expect(new Set(internet.attempts.map(({ address }) => address))).toEqual(new Set(['93.184.216.1']));
    expect(internet.lookUps.filter((name) => name !== 'site.example')).toEqual([]);
  });

  it('keep to robots.txt for what they ask for', async () => {
    site.app.get(
      '/robots.txt',
      (_request, response) => void response.type('text').send('User-agent: *\nDisallow: /api/'),
    );
    site.app.get('/api/lamp', (_request, response) => void response.json({ text: TEXT }));
    shell('/', `fetch('/api/lamp').then((r) => r.json()).then((lamp) => { document.body.textContent = lamp.text; });`);
    const told = await crawler.run('crawl-page', pageJob(`${ORIGIN}/`));
    expect(told.statuses.at(-1)).toMatchObject({ status: 'error', code: 'needs_rendering' });
    expect(told.statuses.at(-1)?.message).toContain('put in none when they were run');
    expect(site.requests).toEqual(['/']);
  });

  it('that never come to an end are given up, and the next page is rendered all the same', async () => {
    await crawler.close();
    const { resolver, connector } = internet;
    const safeFetch = createSafeFetch({ userAgent: 'test/1', resolver, connector });
    const settings = { rendering: { ...rendering, timeoutMs: 4_000 }, allowLoopback: false };
    crawler = testCrawler({ html: reader, safeFetch, settings });
    shell('/endless', 'for (;;);');
    shell('/good', `document.getElementById('root').textContent = '${TEXT}';`);
    const endless = await crawler.run('crawl-page', pageJob(`${ORIGIN}/endless`));
    expect(endless.statuses.at(-1)).toMatchObject({ code: 'needs_rendering' });
    expect(endless.statuses.at(-1)?.message).toContain('not rendered within 4000 ms');
    const good = await crawler.run('crawl-page', pageJob(`${ORIGIN}/good`, 'run-2'));
    expect(good.indexed).toHaveLength(1);
  });

  it('say so when the browser cannot be started', async () => {
    await crawler.close();
    const { resolver, connector } = internet;
    const safeFetch = createSafeFetch({ userAgent: 'test/1', resolver, connector });
    const settings = { rendering: { ...rendering, executable: '/nowhere/chromium' }, allowLoopback: false };
    crawler = testCrawler({ html: reader, safeFetch, settings });
    shell('/', 'x');
    const told = await crawler.run('crawl-page', pageJob(`${ORIGIN}/`));
    expect(told.statuses.at(-1)).toMatchObject({ code: 'needs_rendering' });
    expect(told.statuses.at(-1)?.message).toContain('/nowhere/chromium could not be started');
  });
});
