import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnEachStack } from './quarry/stacks.js';

const NEEDS = {
  variables: { QUARRY_CRAWLER_ALLOW_LOOPBACK: 'true', QUARRY_CRAWLER_DELAY_MS: '0' },
  servers: () => [address],
  notAtAddress: 'it cannot connect to the web site of the tests',
};

const PAGES = new Map([
  ['/', renderPage('Start', 'The quarry lies in the hills. <a href="/granite">Granite</a> <a href="/slate">Slate</a>')],
  ['/granite', renderPage('Granite', 'Granite forms when magma cools slowly, deep under the ground.')],
  ['/slate', renderPage('Slate', 'Slate splits into thin plates, with which roofs have been covered for ages.')],
]);

let site: Server;
let address: string;

beforeAll(async () => {
  site = createServer((request, response) => {
    const found = PAGES.get(request.url ?? '');
    response.writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(found);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`; // a TCP server has this form of address
});

afterAll(() => {
  site.close();
});

describeOnEachStack('pages and sites', NEEDS, (quarry) => {
  /**
   * Creates a datastore with a datasource for the site's page at `path`, and waits until the run of the datasource has
   * ended.
   */
  async function createAndSettleSource(type: 'web_page' | 'web_site', path: string) {
    const { id: datastoreId } = await quarry().createDatastore({ name: path });
    const config = { source_url: `${address}${path}` };
    const { id } = await quarry().createDatasource({ datastoreId, type, name: path, config });
    const searchDatastore = (query: string) => quarry().queryDatastore(datastoreId, { query });
    return { search: searchDatastore, settled: await quarry().untilSettled(id) };
  }

  it('a search finds the text of a web page, and the result contains the address of the page', async () => {
    const { settled, search } = await createAndSettleSource('web_page', '/granite');
    expect(settled).toMatchObject({ status: 'synched', error: null });
    const [first] = await search('How does granite form?');
    expect(first).toMatchObject({ source: `${address}/granite`, text: expect.stringContaining('magma') as string });
  });

  it('a crawl of a web site indexes the root page and all pages to which the root page links', async () => {
    const { settled, search } = await createAndSettleSource('web_site', '/');
    expect(settled).toMatchObject({ status: 'synched', run: { counters: { indexed: 3, failed: 0 } } });
    const [first] = await search('What are roofs covered with?');
    expect(first).toMatchObject({ source: `${address}/slate` });
  });

  it('the datasource of a web page that does not exist reaches the status `error` with the code `not_found`', async () => {
    const { settled } = await createAndSettleSource('web_page', '/marble');
    expect(settled).toMatchObject({ status: 'error', error: { code: 'not_found' } });
  });
});

function renderPage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${body}</p></main></body></html>`;
}
