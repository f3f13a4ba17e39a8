import {
  admitMetricsToken,
  createLog,
  createMetrics,
  listen,
  pingService,
  runService,
  serviceApp,
  startTracing,
} from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { crawlerDependencies } from './dependencies.js';
import { startCrawler } from './start-crawler.js';

const NAME = 'crawler';

await runService(NAME, async () => {
  const config = readConfig(process.env);
  const log = createLog(NAME, config.logLevel);
  const tracing = startTracing(NAME, config.tracing);
  const metrics = createMetrics(NAME, { process: true });
  const context = await openContext(config, log, metrics);
  const { queues, blobs, safeFetch } = context;
  const gateway = { ping: () => pingService(config.gateway.url, 'live') };
  const app = serviceApp({
    log,
    metrics,
    dependencies: crawlerDependencies({ queues, blobs, gateway }),
    monitoring: admitMetricsToken(config.metricsToken),
    routes: [],
  });
  const server = await listen(app, config);
  const crawler = startCrawler(context);
  return {
    close: async (deadlineMs) => {
      await crawler.close(deadlineMs);
      await Promise.all([server.close(0), queues.close(0), safeFetch.close()]);
      await tracing.close();
    },
  };
});
