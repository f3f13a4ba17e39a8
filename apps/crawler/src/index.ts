export { readConfig, readCrawlSettings, type CrawlSettings } from './config.js';
export { type CrawlerContext } from './context.js';
export { startCrawler } from './start-crawler.js';
export { createHtmlReader, type HtmlReader } from './pages/html/html-reader.js';
export { systemClock } from './politeness/clock.js';
export { listCrawlerDependencies } from './dependencies.js';
export { listCrawlerComponents } from './crawler-components.js';
