import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

// Node itself supports neither decorators nor the source condition of workspace packages. Vite does, as in the tests.
const RUN = `
  import { runnerImport } from 'vite';
  const [file] = process.argv.splice(1, 1);
  await runnerImport(file, { configFile: false, logLevel: 'error', resolve: { conditions: ['@quarry/source'] } });
`;

/** Runs a TypeScript module in a separate process. Its arguments start at `process.argv[1]`. */
export function forkTypescript(file: string, args: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, ['--input-type=module', '--eval', RUN, '--', file, ...args], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
