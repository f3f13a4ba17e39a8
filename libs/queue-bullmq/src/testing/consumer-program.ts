import { consumeAndHang, consumeUntilAborted } from '@quarry/queue/testing';
import { openForTests } from './open-for-tests.js';

// The conformance suite runs this in a process of its own. Arguments: the server's address, `hang` or `until-aborted`, queues.
const [, url = '', kind = '', ...names] = process.argv;

const queues = await openForTests(url);
if (kind === 'hang') consumeAndHang(queues, names);
else consumeUntilAborted(queues, names);
