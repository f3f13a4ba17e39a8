import { runWorker } from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { listCrawlerDependencies } from './dependencies.js';
import { startCrawler } from './start-crawler.js';

await runWorker({
  name: 'crawler',
  readConfig: () => readConfig(process.env),
  openContext,
  listDependencies: (context, gateway) => listCrawlerDependencies({ ...context, gateway }),
  start: startCrawler,
  closeContext: ({ safeFetch }) => safeFetch.close(),
});
