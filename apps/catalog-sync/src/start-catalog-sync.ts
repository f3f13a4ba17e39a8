import type { RunningService } from '@quarry/service-kit';
import { startConsumers } from './consumers.js';
import type { CatalogSyncContext } from './context.js';

/** Starts to consume catalogue jobs. The caller closes the context. */
export function startCatalogSync(context: CatalogSyncContext): RunningService {
  const consumer = startConsumers(context);
  return { close: (deadlineMs) => consumer.close(deadlineMs) };
}
