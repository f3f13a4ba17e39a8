import { CheerioCrawler, Configuration, Dataset, log, LogLevel } from '@crawlee/cheerio';
import { countWords, outcomeOf } from './outcome.js';

/*
 * `node crawlee-crawler.js <address> <folder> <pages> <at once>`: Crawlee's CheerioCrawler with its own storage, as its
 * documentation shows it. The text is that of the page's main element.
 */

const [address = '', folder = '', pages = '', atOnce = ''] = process.argv.slice(2);
const configuration = Configuration.getGlobalConfig();
configuration.set('storageClientOptions', { localDataDirectory: folder });
configuration.set('purgeOnStart', false);
log.setLevel(LogLevel.WARNING);

const crawler = new CheerioCrawler({
  minConcurrency: Number(atOnce),
  maxConcurrency: Number(atOnce),
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
process.send?.(outcomeOf(items.length, seconds, words));
process.disconnect();
