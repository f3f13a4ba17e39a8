import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';

// Runs a module with Vite, which compiles decorators and resolves workspace packages to their sources. Node does neither.
const RUN = `
  import { runnerImport } from 'vite';
  const [file] = process.argv.splice(1, 1);
  await runnerImport(file, { configFile: false, logLevel: 'error', resolve: { conditions: ['@quarry/source'] } });
`;

/** Runs a TypeScript module in a child process. The arguments of the module begin at `process.argv[1]`. */
export function forkTypescript(file: string, args: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, ['--input-type=module', '--eval', RUN, '--', file, ...args], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
