// Extracts the main content of saved pages with one library.
//   node extraction.mjs list                   prints the names of the libraries as JSON
//   node extraction.mjs <library> <folder>     prints a list of {file, ms, text, cells, code} as JSON, without text after a failure
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseHTML } from 'linkedom';

const NO_TEXT = 'script, style, noscript, template, svg, iframe, head';
const INLINE = /<\/?(?:a|abbr|b|bdi|code|em|font|i|kbd|mark|q|s|small|span|strong|sub|sup|u|var|wbr)(?:\s[^>]*)?>/gi;

/**
 * Contains a function per library. It loads the library, and returns a function from the HTML of a page to the HTML of
 * its main content.
 */
const LIBRARIES = {
  'the whole page': async () => (html) => html,
  '@mozilla/readability': async () => {
    const { Readability } = await import('@mozilla/readability');
    return (html) => new Readability(parseHTML(html).document).parse()?.content;
  },
  defuddle: async () => {
    const { Defuddle } = await import('defuddle/node');
    return async (html, address) => (await Defuddle(parseHTML(html).document, address, { useAsync: false })).content;
  },
  '@extractus/article-extractor': async () => {
    const { extractFromHtml } = await import('@extractus/article-extractor');
    return async (html, address) => (await extractFromHtml(html, address))?.content;
  },
};

const [command = '', folder = ''] = process.argv.slice(2);
// The log of the libraries goes to the standard error, because the standard output is reserved for the result.
console.log = console.warn = console.error = console.debug = () => {};
const result = command === 'list' ? Object.keys(LIBRARIES) : await extractAllPages(await LIBRARIES[command](), folder);
process.stdout.write(JSON.stringify(result), () => process.exit());

async function extractAllPages(extract, from) {
  const results = [];
  for (const file of readdirSync(join(from, 'html')).filter((name) => /\.html(\.gz)?$/.test(name))) {
    const bytes = readFileSync(join(from, 'html', file));
    const html = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    const name = file.replace(/\.html(\.gz)?$/, '');
    const { url } = JSON.parse(readFileSync(join(from, 'ground-truth', `${name}.json`), 'utf8'));
    results.push({ file: name, ...(await measureExtraction(() => extract(html, url))) });
  }
  return results;
}

async function measureExtraction(extract) {
  const begun = performance.now();
  try {
    const content = await extract();
    const ms = performance.now() - begun;
    return content == null ? { ms } : { ms, ...readExtractedContent(content) };
  } catch {
    return { ms: performance.now() - begun };
  }
}

/** Returns the text, the table cells and the code blocks of the HTML. Spaces separate the blocks of the text. */
function readExtractedContent(html) {
  const document = parseDocument(html.replace(INLINE, '').replace(/</g, ' <'));
  for (const element of document.querySelectorAll(NO_TEXT)) element.remove();
  const listTexts = (selector) =>
    [...parseDocument(html).querySelectorAll(selector)].map((element) => element.textContent);
  return { text: document.documentElement.textContent, cells: listTexts('td, th'), code: listTexts('pre') };
}

function parseDocument(html) {
  return parseHTML(/<html/i.test(html) ? html : `<html><body>${html}</body></html>`).document;
}
