import { datasourceStatusQueue, type DatasourceStatusJobs } from '@quarry/contracts';
import { jobMaker, type Producer } from '@quarry/queue-bullmq';
import type { Gateway } from '../gateway.js';
import { statusHandlers } from './status-handlers.js';

type Needed = Pick<Gateway, 'db' | 'blobs' | 'clock' | 'outboxWritten' | 'queues' | 'log'>;

/**
 * Takes in what a worker in the same process tells of its runs. It is written down before `add` returns, without the way through
 * the queue, which costs more than the writing. What cannot be written down goes into the queue, where it is tried again.
 */
export function statusesHere(gateway: Needed): Pick<Producer<DatasourceStatusJobs>, 'add'> {
  const { queues, log } = gateway;
  const queue = queues.producer(datasourceStatusQueue);
  const newJob = jobMaker(datasourceStatusQueue);
  const handlers = statusHandlers(gateway);
  return {
    add: async (name, payload, options) => {
      const { id, payload: carried } = newJob(name, payload);
      try {
        await handlers[name](carried as typeof payload, { log }); // as its contract says: the maker has parsed it
        return id;
      } catch (error) {
        log.warn({ err: error, event: name }, 'an event of a run could not be written down: it goes through the queue');
        return queue.add(name, payload, options);
      }
    },
  };
}
