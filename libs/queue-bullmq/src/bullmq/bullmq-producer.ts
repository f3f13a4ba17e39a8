import type { JobPayloads, QueueContract } from '@quarry/contracts';
import { jobMaker } from '../job-maker.js';
import type { Producer } from '../queues.js';
import { jobOptions } from './job-options.js';
import type { BullQueue } from './queue-server.js';

export function bullmqProducer<Jobs extends JobPayloads>(
  contract: QueueContract<Jobs>,
  queue: BullQueue,
): Producer<Jobs> {
  const newJob = jobMaker(contract);
  return {
    async add(name, payload, options = {}) {
      const job = newJob(name, payload);
      await queue.add(job.name, job.payload, jobOptions(contract, job.id, options));
      return job.id;
    },
    async addAll(jobs) {
      const carried = jobs.map((job) => ({ ...newJob(job.name, job.payload), options: job }));
      if (carried.length === 0) return [];
      await queue.addBulk(
        carried.map(({ id, name, payload, options }) => ({
          name,
          data: payload,
          opts: jobOptions(contract, id, options),
        })),
      );
      return carried.map(({ id }) => id);
    },
  };
}
