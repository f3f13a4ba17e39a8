import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Program `node site.js <pages>`: serves a site of articles on a loopback address, and sends its address to the parent
 * process. Each page links to up to five pages with higher numbers, to the pages before and after it, and to the first
 * page. All pages are therefore reachable from the first page.
 */

const WORDS =
  'granite slate marble quarry stone layer depth rock mason roof wall colour grain water frost polish block saw yard price'.split(
    ' ',
  );
const PARAGRAPHS = 8;
const WORDS_A_PARAGRAPH = 60;

function generateSentence(seed: number, words: number): string {
  return Array.from({ length: words }, (_, at) => WORDS[(seed * 31 + at * 7 + ((seed * at) % 11)) % WORDS.length]).join(
    ' ',
  );
}

function renderPage(n: number, pages: number): string {
  const children = [1, 2, 3, 4, 5].map((k) => n * 5 + k).filter((child) => child < pages);
  const around = [n - 1, n + 1, 0].filter((other) => other >= 0 && other < pages);
  const paragraphs = Array.from(
    { length: PARAGRAPHS },
    (_, at) => `<h2>Part ${at} of ${n}</h2><p>${generateSentence(n * PARAGRAPHS + at, WORDS_A_PARAGRAPH)}.</p>`,
  );
  const links = children.map((child) => `<li><a href="/p/${child}">Article ${child}</a></li>`).join('');
  const menu = around.map((other) => `<a href="/p/${other}">Article ${other}</a>`).join(' ');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Article ${n}</title></head><body>
<nav>${menu}</nav><main><h1>Article ${n}</h1>${paragraphs.join('\n')}<ul>${links}</ul></main><footer>All about stone</footer></body></html>`;
}

const pages = Number(process.argv[2]);
const bodies = Array.from({ length: pages }, (_, n) => Buffer.from(renderPage(n, pages)));
const server = createServer((request, response) => {
  const found = /^\/p\/(\d+)$/.exec(request.url ?? '');
  const body = bodies[Number(found?.[1] ?? -1)];
  if (body === undefined) response.writeHead(404, { 'content-length': 0 }).end();
  else response.writeHead(200, { 'content-type': 'text/html', 'content-length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo; // a TCP server has this form of address
  process.send?.(`http://127.0.0.1:${port}/p/0`);
});
