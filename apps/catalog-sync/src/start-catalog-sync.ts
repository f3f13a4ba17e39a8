import type { RunningService } from '@quarry/service-kit';
import { startConsumers } from './consumers.js';
import type { CatalogSyncContext } from './context.js';

/** Starts to take catalogue jobs. What the context holds stays the caller's to close. */
export function startCatalogSync(context: CatalogSyncContext): RunningService {
  const consumer = startConsumers(context);
  return { close: (deadlineMs) => consumer.close(deadlineMs) };
}
