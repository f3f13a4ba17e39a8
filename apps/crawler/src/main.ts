import { SERVICE_REPORT_INTERVAL_MS, VERSION } from '@quarry/contracts';
import { createStatusReporter } from '@quarry/run-reporting';
import { runWorker } from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { listCrawlerComponents } from './crawler-components.js';
import { listCrawlerDependencies } from './dependencies.js';
import { startCrawler } from './start-crawler.js';

await runWorker({
  name: 'crawler',
  version: VERSION,
  readConfig: () => readConfig(process.env),
  openContext,
  listDependencies: (context, gateway) => listCrawlerDependencies({ ...context, gateway }),
  listComponents: ({ crawl }) => listCrawlerComponents(crawl),
  openStatusReporter: ({ gateway }) => createStatusReporter(gateway),
  statusIntervalMs: SERVICE_REPORT_INTERVAL_MS,
  start: startCrawler,
  closeContext: ({ safeFetch }) => safeFetch.close(),
});
