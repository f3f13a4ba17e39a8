import { GiveUp } from '@quarry/contracts';
import { openQueues } from '../../open-queues.js';
import { silentLog } from '../silent-log.js';
import { sampleQueue } from './sample-queue.js';

// A process that takes a job of each queue and never ends it: it is there to be killed.
// Arguments: the server's address, the takeover time, a queue whose handler hangs, another, one whose `onFailed` hangs.
const [, url = '', takeoverMs = '', ...names] = process.argv;
const [hanging = '', hangingToo = '', failing = ''] = names;

const queues = await openQueues({ url, log: silentLog, takeoverMs: Number(takeoverMs) });
const hang = async (): Promise<void> => {
  process.stdout.write('hanging\n');
  await new Promise(() => undefined);
};
const giveUp = async (): Promise<void> => {
  throw new GiveUp<'note_torn'>('note_torn', 'the note is torn');
};
for (const name of [hanging, hangingToo])
  queues.consumer(sampleQueue(name), { note: hang, memo: hang }, { concurrency: 1 });
queues.consumer(sampleQueue(failing), { note: giveUp, memo: giveUp }, { concurrency: 1, onFailed: hang });
setInterval(() => undefined, 60_000);
