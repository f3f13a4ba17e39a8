import { ingestionQueue } from '@quarry/contracts';
import { openQueues } from '@quarry/queue-bullmq';
import { silentLog } from '@quarry/queue/testing';

// A worker in a process of its own that waits for jobs whose lock was lost, and says which it got.
// Arguments: the queues' address, the takeover time.
const [, url = '', takeoverMs = ''] = process.argv;

const queues = await openQueues({ url, log: silentLog, takeoverMs: Number(takeoverMs) });
const take = async (): Promise<void> => {
  process.stdout.write('taken\n');
};
const handlers = {
  'index-document': take,
  'remove-document': take,
  'remove-datasource': take,
  'remove-datastore': take,
};
queues.consumer(ingestionQueue, handlers, { concurrency: 1 });
process.stdout.write('ready\n');
