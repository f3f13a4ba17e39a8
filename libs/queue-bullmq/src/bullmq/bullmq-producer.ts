import type { JobPayloads, QueueContract } from '@quarry/contracts';
import { createJobMaker, type CarriedJob, type AddOptions, type Producer } from '@quarry/queue';
import { createJobOptions } from './job-options.js';
import type { BullQueue } from './queue-server.js';

export function createBullmqProducer<Jobs extends JobPayloads>(
  contract: QueueContract<Jobs>,
  queue: BullQueue,
  batchFrom: number,
): Producer<Jobs> {
  const newJob = createJobMaker(contract);
  const addOneJob = async ({ id, name, payload }: CarriedJob, options: AddOptions): Promise<string> => {
    await queue.add(name, payload, createJobOptions(contract, id, options));
    return id;
  };
  return {
    add: async (name, payload, options = {}) => addOneJob(newJob(name, payload), options),
    async addAll(jobs) {
      const carried = jobs.map((job) => ({ ...newJob(job.name, job.payload), options: job }));
      if (carried.length < batchFrom) {
        for (const job of carried) await addOneJob(job, job.options);
      } else {
        await queue.addBulk(
          carried.map(({ id, name, payload, options }) => ({
            name,
            data: payload,
            opts: createJobOptions(contract, id, options),
          })),
        );
      }
      return carried.map(({ id }) => id);
    },
  };
}
