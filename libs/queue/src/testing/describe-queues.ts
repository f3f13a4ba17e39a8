import { afterAll, beforeAll, describe } from 'vitest';
import type { Queues } from '../queues.js';
import { describeAdding } from './conformance/describe-adding.js';
import { describeClosing } from './conformance/describe-closing.js';
import { describeKilledProcesses, describeStoppedProcesses } from './conformance/describe-killed-processes.js';
import { describeFailing } from './conformance/describe-failing.js';
import { describeKeeping } from './conformance/describe-keeping.js';
import { describeLoad } from './conformance/describe-load.js';
import { describePacing } from './conformance/describe-pacing.js';
import type { QueueServerUnderTest } from './conformance/queue-server-under-test.js';

/** Asserts the guarantees of `Queues` on a server. */
export function describeQueues(name: string, start: () => Promise<QueueServerUnderTest>): void {
  describe(`queues on ${name}`, () => {
    let server: QueueServerUnderTest;
    let queues: Queues;
    const getQueues = (): Queues => queues;
    const getServer = (): QueueServerUnderTest => server;

    beforeAll(async () => {
      server = await start();
      queues = await server.open();
    });
    afterAll(async () => {
      await queues.close(0);
      await server.close();
    });

    describeAdding(getQueues);
    describeFailing(getQueues);
    describeClosing(getQueues, getServer);
    describeKeeping(getQueues, getServer);
    describeKilledProcesses(getQueues, getServer);
    describeStoppedProcesses(getQueues, getServer);
    describeLoad(getQueues, () => server.open());
    describePacing(getQueues, () => server.open());
  });
}
