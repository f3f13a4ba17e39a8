import { afterAll, beforeAll, describe } from 'vitest';
import type { Queues } from '../queues.js';
import { addingJobs } from './conformance/adding.js';
import { closingConsumers } from './conformance/closing.js';
import { dyingProcesses, stoppedProcesses } from './conformance/dying.js';
import { failingJobs } from './conformance/failing.js';
import { keepingJobs } from './conformance/keeping.js';
import { pacedTurns } from './conformance/pacing.js';
import type { QueueServerUnderTest } from './conformance/queue-server-under-test.js';
import { openForTests } from './conformance/tried-queues.js';

/** What queues promise, as tests, whatever server keeps them. */
export function describeQueues(name: string, start: () => Promise<QueueServerUnderTest>): void {
  describe(`queues on ${name}`, () => {
    let server: QueueServerUnderTest;
    let queues: Queues;
    const opened = (): Queues => queues;
    const url = (): string => server.url;

    beforeAll(async () => {
      server = await start();
      queues = await openForTests(server.url);
    });
    afterAll(async () => {
      await queues.close(0);
      await server.close();
    });

    addingJobs(opened);
    failingJobs(opened);
    closingConsumers(opened, url);
    keepingJobs(opened, () => server);
    dyingProcesses(opened, url);
    stoppedProcesses(opened, url);
    pacedTurns(opened, () => openForTests(url()));
  });
}
