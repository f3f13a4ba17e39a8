import type { RunningService } from '@quarry/service-kit';
import { startConsumers } from './consumers.js';
import type { CatalogSyncContext } from './context.js';

/** Starts a consumer of the catalogue queue. Closing the returned service does not close the context. */
export function startCatalogSync(context: CatalogSyncContext): RunningService {
  const consumer = startConsumers(context);
  return { close: (deadlineMs) => consumer.close(deadlineMs) };
}
