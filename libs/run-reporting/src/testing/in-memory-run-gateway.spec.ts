import { describeRunGateway } from './describe-run-gateway.js';
import { createInMemoryRunGateway } from './in-memory-run-gateway.js';

describeRunGateway('the in-memory gateway', async () =>
  Object.assign(createInMemoryRunGateway(), { close: async () => Promise.resolve() }),
);
