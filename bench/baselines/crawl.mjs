// Crawls a site with Crawlee's CheerioCrawler and its own storage, as its documentation shows. It keeps the text of
// each page's main element. The parent process receives the outcome as one IPC message. crawl.mjs <address> <folder>
// <pages> <concurrency>
import { CheerioCrawler, Configuration, Dataset, log, LogLevel } from '@crawlee/cheerio';
import { countWords, createOutcome } from '../dist/crawl/outcome.js';

const [address = '', folder = '', pages = '', concurrency = ''] = process.argv.slice(2);
const configuration = Configuration.getGlobalConfig();
configuration.set('storageClientOptions', { localDataDirectory: folder });
configuration.set('purgeOnStart', false);
log.setLevel(LogLevel.WARNING);

const crawler = new CheerioCrawler({
  minConcurrency: Number(concurrency),
  maxConcurrency: Number(concurrency),
  maxRequestsPerCrawl: Number(pages),
  requestHandler: async ({ $, request, enqueueLinks, pushData }) => {
    const main = $('main');
    main.find('h1, h2, p, li').append(' ');
    await pushData({ url: request.url, title: $('title').text(), text: main.text() });
    await enqueueLinks();
  },
});
const begun = performance.now();
await crawler.run([address]);
const seconds = (performance.now() - begun) / 1000;

const { items } = await (await Dataset.open()).getData();
const words = items.reduce((sum, { text }) => sum + countWords(String(text)), 0);
process.send?.(createOutcome(items.length, seconds, words));
process.disconnect();
