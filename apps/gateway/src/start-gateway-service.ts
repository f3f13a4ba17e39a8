import { SERVICE_REPORT_INTERVAL_MS } from '@quarry/contracts';
import {
  ConfigurationError,
  createStatusReader,
  startStatusReports,
  startTracing,
  type RunningService,
} from '@quarry/service-kit';
import { readConfig } from './config.js';
import { openContext } from './context.js';
import { ensureRootKey, hasRootKey } from './keys/root-key.js';
import { connectQueryService } from './query-service/connect-query-service.js';
import { startGateway } from './start-gateway.js';
import { createDatabaseStatusReporter } from './system/service-reports.js';
import { describeGateway } from './system/system-state.js';

/** Starts a gateway with its context, as a process of its own. */
export async function startGatewayService(environment: NodeJS.ProcessEnv): Promise<RunningService> {
  const config = readConfig(environment);
  const tracing = await startTracing('gateway', config.tracing);
  const context = await openContext(config);
  if (config.rootKey !== undefined) await ensureRootKey(context.database.db, config.rootKey);
  else if (!(await hasRootKey(context.database.db)))
    throw new ConfigurationError([
      'QUARRY_ROOT_KEY is required by a new installation, because no other API key exists: set a key of 8 to 200 characters',
    ]);
  const gateway = await startGateway(context, config);
  const reports = startStatusReports(
    createStatusReader(describeGateway({ ...context, queryService: connectQueryService(config.queryService) })),
    createDatabaseStatusReporter(context.database.db),
    SERVICE_REPORT_INTERVAL_MS,
  );
  return {
    close: async (deadlineMs) => {
      await gateway.close(deadlineMs);
      await reports.close();
      await context.webhookFetch.close();
      await context.listingFetch.close();
      await context.requestCounts.close();
      await context.queues.close(0);
      await context.database.close();
      await tracing.close();
    },
  };
}
