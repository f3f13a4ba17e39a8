import { describeRunGateway } from './describe-run-gateway.js';
import { inMemoryRunGateway } from './in-memory-run-gateway.js';

describeRunGateway('the in-memory gateway', async () =>
  Object.assign(inMemoryRunGateway(), { close: async () => Promise.resolve() }),
);
