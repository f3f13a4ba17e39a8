import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeOnEachStack, testsContainers } from './quarry/stacks.js';
import type { Variables } from './quarry/stack.js';

const TITLE = 'a page that scripts build';
const CANDIDATES = [process.env['QUARRY_CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-headless-shell'];
/**
 * Path of the Chromium on this machine with which crawlers outside of containers render pages; undefined if there is
 * none. In containers, the image of the crawler sets its own path.
 */
const executable = CANDIDATES.find((path) => path !== undefined && existsSync(path));
const withChromium = testsContainers ? process.env['QUARRY_WITH_CHROMIUM'] !== undefined : executable !== undefined;

const TEXT = 'Gneiss is made of bands, which are light and dark in turn, and of which no two are alike.';
const PAGE =
  '<!doctype html><html lang="en"><head><title>Gneiss</title></head><body><div id="root"></div><script src="/gneiss.js"></script></body></html>';
const SCRIPT = `fetch('/gneiss.json').then((answer) => answer.json()).then(({ text }) => {
  document.getElementById('root').innerHTML = '<main><h1>Gneiss</h1><p>' + text + '</p></main>';
});`;
const FILES: Readonly<Record<string, readonly [type: string, text: string]>> = {
  '/': ['text/html', PAGE],
  '/gneiss.js': ['text/javascript', SCRIPT],
  '/gneiss.json': ['application/json', JSON.stringify({ text: `${TEXT} `.repeat(4).trim() })],
};

let site: Server;
let address: string;

beforeAll(async () => {
  site = createServer((request, response) => {
    const [type, text] = FILES[request.url ?? ''] ?? ['text/plain', undefined];
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': `${type}; charset=utf-8` });
    response.end(text);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`; // a TCP server has this form of address
});
afterAll(() => {
  site.close();
});

/** Value of the setting that enables Chromium's sandbox. The sandbox works neither for root nor in containers. */
const sandbox = testsContainers || process.getuid?.() === 0 ? 'false' : 'true';
const VARIABLES: Variables = {
  QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true',
  QUARRY_CRAWLER_DELAY_MS: '0',
  QUARRY_CHROMIUM_SANDBOX: sandbox,
  ...(testsContainers || executable === undefined ? {} : { QUARRY_CHROMIUM: executable }),
};
const NEEDS = {
  ofServices: true,
  variables: VARIABLES,
  servers: () => [address],
  notAtAddress: 'it cannot connect to the web site of the tests',
};

if (withChromium) {
  describeOnEachStack(TITLE, NEEDS, (quarry) => {
    it('a search finds a rendered page by text that the scripts of the page insert', async () => {
      const { id: datastoreId } = await quarry().createDatastore({ name: 'Rendered' });
      const config = { source_url: `${address}/` };
      const { id } = await quarry().createDatasource({ datastoreId, type: 'web_page', name: 'Gneiss', config });
      expect(await quarry().untilSettled(id)).toMatchObject({ status: 'synched', error: null });
      const [first] = await quarry().queryDatastore(datastoreId, { query: 'Which stone has bands?' });
      expect(first).toMatchObject({ source: `${address}/`, text: expect.stringContaining('light and dark') as string });
    });
  });
} else {
  const lacks = testsContainers
    ? 'QUARRY_WITH_CHROMIUM is not set'
    : 'there is no Chromium on this machine; QUARRY_CHROMIUM can contain its path';
  describe.skip(`${TITLE} (skipped: ${lacks})`, () => {
    it('a search finds a rendered page by text that the scripts of the page insert', () => undefined);
  });
}
