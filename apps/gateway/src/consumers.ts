import { datasourceStatusQueue } from '@quarry/contracts';
import type { Consumer } from '@quarry/queue-bullmq';
import { withoutParameters } from './database/query-error.js';
import type { Gateway } from './gateway.js';
import { documentSettled, runEnumerated } from './handlers/document-settled.js';
import { runProgressed } from './handlers/run-progressed.js';
import { statusChanged } from './handlers/status-changed.js';

const AT_ONCE = 8;

/** Starts to take in what the workers say of their runs. */
export function startConsumers(gateway: Gateway): Consumer {
  return gateway.queues.consumer(
    datasourceStatusQueue,
    {
      'status-changed': async (payload, job) => told(statusChanged(gateway, payload, job)),
      'run-progressed': async (payload) => told(runProgressed(gateway, payload)),
      'document-settled': async (payload) => told(documentSettled(gateway, payload)),
      'run-enumerated': async (payload) => told(runEnumerated(gateway, payload)),
    },
    { concurrency: AT_ONCE },
  );
}

/** The queue keeps and logs what a handler throws. */
async function told(handled: Promise<void>): Promise<void> {
  try {
    await handled;
  } catch (error) {
    throw withoutParameters(error);
  }
}
