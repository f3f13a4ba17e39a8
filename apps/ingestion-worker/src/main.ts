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
import { ingestionDependencies } from './dependencies.js';
import { startIngestionWorker } from './start-ingestion-worker.js';

const NAME = 'ingestion-worker';

await runService(NAME, async () => {
  const config = readConfig(process.env);
  const log = createLog(NAME, config.logLevel);
  const tracing = startTracing(NAME, config.tracing);
  const metrics = createMetrics(NAME, { process: true });
  const context = await openContext(config, log, metrics);
  const { queues, blobs, fragmentStore } = context;
  const gateway = { ping: () => pingService(config.gateway.url, 'live') };
  const app = serviceApp({
    log,
    metrics,
    dependencies: ingestionDependencies({ queues, blobs, fragmentStore, gateway }),
    monitoring: admitMetricsToken(config.metricsToken),
    routes: [],
  });
  const server = await listen(app, config);
  const worker = await startIngestionWorker(context);
  return {
    close: async (deadlineMs) => {
      await worker.close(deadlineMs);
      await Promise.all([server.close(0), queues.close(0), fragmentStore.close()]);
      await tracing.close();
    },
  };
});
