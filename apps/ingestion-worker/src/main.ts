import { createLog, createMetrics, listen, runService, serviceApp, startTracing } from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { startIngestionWorker } from './start-ingestion-worker.js';

const NAME = 'ingestion-worker';

await runService(NAME, async () => {
  const config = readConfig(process.env);
  const log = createLog(NAME, config.logLevel);
  const tracing = startTracing(NAME, config.tracing);
  const metrics = createMetrics(NAME, { process: true });
  const context = await openContext(config, log, metrics);
  const { queues, blobs, fragmentStore } = context;
  const readiness = {
    queues: () => queues.ping(),
    blobs: () => blobs.ping(),
    fragments: () => fragmentStore.ping(),
  };
  const app = serviceApp({ log, metrics, readiness, routes: [] });
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
