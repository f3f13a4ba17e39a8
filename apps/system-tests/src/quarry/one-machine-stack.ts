import { rm } from 'node:fs/promises';
import { createDataFolder } from './data-folder.js';
import { startQuarry } from './quarry-process.js';
import type { StackKind } from './stack.js';

/** The kind of stack that `npm start` starts: a standalone Quarry. */
export const oneMachineStack: StackKind = {
  title: 'one machine',
  missing: undefined,
  async start(variables) {
    const directory = await createDataFolder();
    let quarry = await startQuarry(directory, variables);
    let before = '';
    return {
      get baseUrl() {
        return quarry.baseUrl;
      },
      output: () => before + quarry.output(),
      async restart(how) {
        await (how === 'killed' ? quarry.kill() : quarry.stop());
        before += quarry.output();
        quarry = await startQuarry(directory, variables);
      },
      async stop() {
        await quarry.stop();
        await rm(directory, { recursive: true, force: true });
      },
    };
  },
};
