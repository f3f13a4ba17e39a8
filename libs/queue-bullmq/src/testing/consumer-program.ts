import { consumeAndHang, consumeUntilAborted } from '@quarry/queue/testing';
import { openTestQueues } from './open-test-queues.js';

// The conformance suite runs this file in a child process. The arguments are the address of the server, `hang` or
// `until-aborted`, and names of queues.
const [, url = '', kind = '', ...names] = process.argv;

const queues = await openTestQueues(url);
if (kind === 'hang') consumeAndHang(queues, names);
else consumeUntilAborted(queues, names);
