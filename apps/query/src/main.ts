import { runService, startTracing, type RunningService } from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { startQuery } from './server.js';

await runService('query', async (): Promise<RunningService> => {
  const config = readConfig(process.env);
  const tracing = await startTracing('query', config.tracing);
  const context = await openContext(config);
  const query = await startQuery(context, config);
  return {
    close: async (deadlineMs) => {
      await query.close(deadlineMs);
      await context.fragmentStore.close();
      await tracing.close();
    },
  };
});
