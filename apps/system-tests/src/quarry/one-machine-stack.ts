import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startQuarry } from './quarry-process.js';
import type { StackKind } from './stacks.js';

/** What `npm start` runs. */
export const oneMachineStack: StackKind = {
  title: 'one machine',
  missing: undefined,
  async start(variables) {
    const directory = await mkdtemp(join(tmpdir(), 'quarry-system-'));
    const quarry = await startQuarry(directory, variables);
    return {
      baseUrl: quarry.baseUrl,
      output: () => quarry.output(),
      async stop() {
        await quarry.stop();
        await rm(directory, { recursive: true, force: true });
      },
    };
  },
};
