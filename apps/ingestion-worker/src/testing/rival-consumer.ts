import { ingestionQueue } from '@quarry/contracts';
import { openQueues } from '@quarry/queue-bullmq';
import { silentLog } from '@quarry/queue/testing';

// Runs another worker, which starts jobs whose lock was lost, and prints `taken` for each of these jobs. Arguments: the
// queue URL, and the takeover time in milliseconds.
const [, url = '', takeoverMs = ''] = process.argv;

const queues = await openQueues({ url, log: silentLog, takeoverMs: Number(takeoverMs) });
const takeJob = async (): Promise<void> => {
  process.stdout.write('taken\n');
};
const handlers = {
  'index-document': takeJob,
  'remove-document': takeJob,
  'remove-datasource': takeJob,
  'remove-datastore': takeJob,
};
queues.startConsumer(ingestionQueue, handlers, { concurrency: 1 });
process.stdout.write('ready\n');
