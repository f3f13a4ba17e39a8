import { openQueues } from '../../open-queues.js';
import { silentLog } from '../silent-log.js';
import { sampleQueue } from './sample-queue.js';

// A process that runs a job until its signal is aborted. It is there to be stopped and continued.
// Arguments: the server's address, the takeover time, the queue.
const [, url = '', takeoverMs = '', name = ''] = process.argv;

const queues = await openQueues({ url, log: silentLog, takeoverMs: Number(takeoverMs) });
const untilAborted = async (_payload: object, { signal }: { readonly signal: AbortSignal }): Promise<void> => {
  process.stdout.write('running\n');
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve);
  });
  process.stdout.write('aborted\n');
};
queues.consumer(sampleQueue(name), { note: untilAborted, memo: untilAborted }, { concurrency: 1 });
