import { afterAll, beforeAll, describe } from 'vitest';
import type { Queues } from '../queues.js';
import { addingJobs } from './conformance/adding.js';
import { closingConsumers } from './conformance/closing.js';
import { dyingProcesses, stoppedProcesses } from './conformance/dying.js';
import { failingJobs } from './conformance/failing.js';
import { keepingJobs } from './conformance/keeping.js';
import { pacedTurns } from './conformance/pacing.js';
import type { QueueServerUnderTest } from './conformance/queue-server-under-test.js';

/** Asserts the guarantees of `Queues` on a server. */
export function describeQueues(name: string, start: () => Promise<QueueServerUnderTest>): void {
  describe(`queues on ${name}`, () => {
    let server: QueueServerUnderTest;
    let queues: Queues;
    const opened = (): Queues => queues;
    const onServer = (): QueueServerUnderTest => server;

    beforeAll(async () => {
      server = await start();
      queues = await server.open();
    });
    afterAll(async () => {
      await queues.close(0);
      await server.close();
    });

    addingJobs(opened);
    failingJobs(opened);
    closingConsumers(opened, onServer);
    keepingJobs(opened, onServer);
    dyingProcesses(opened, onServer);
    stoppedProcesses(opened, onServer);
    pacedTurns(opened, () => server.open());
  });
}
