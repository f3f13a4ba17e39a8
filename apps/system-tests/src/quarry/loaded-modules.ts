import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

/**
 * Source of a module that appends lines to a file: one for each module that its process loads, and one for each start
 * and each end of a child process.
 */
const RECORD_MODULES = `
  import { subscribe } from 'node:diagnostics_channel';
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const record = (line) => appendFileSync(process.env.MODULES_FILE, line + '\\n');
  registerHooks({ load(url, context, next) { record(url); return next(url, context); } });
  subscribe('tracing:child_process.spawn:start', ({ process }) => {
    record('runs ' + process.spawnfile);
    process.once('exit', () => record('ran ' + process.spawnfile));
  });
`;
/**
 * Node option that makes a process run `RECORD_MODULES`. The environment variable `MODULES_FILE` contains the path of
 * the file for the lines.
 */
export const RECORDING = `--import=data:text/javascript,${encodeURIComponent(RECORD_MODULES)}`;
/**
 * Packages that a service must not load when it starts, because only some installations or later requests need them.
 */
export const DEFERRED = ['@langchain/openai', '@modelcontextprotocol/server', 'gpt-tokenizer', 'openai', 'zod'];

/** Returns the names of the npm packages that contain the modules. @param modules paths of the modules, one per line */
export function listPackages(modules: string): ReadonlySet<string> {
  return new Set([...modules.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/\n]+)/g)].map(([, name = '']) => name));
}

/**
 * Starts a service with an invalid port, so that it exits after its modules are loaded.
 *
 * @param entry path of the file that starts the service
 * @param file path of the file to which the URLs of the modules are written
 * @returns the URLs of the modules, one per line
 * @throws Error if the service does not reject the port
 */
export async function listLoadedModules(entry: string, file: string): Promise<string> {
  const child = spawn(process.execPath, [RECORDING, entry], {
    env: { PATH: process.env['PATH'], QUARRY_PORT: 'none', MODULES_FILE: file },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output = await text(child.stderr);
  if (!output.includes('QUARRY_PORT must be'))
    throw new Error(`expected ${entry} to reject QUARRY_PORT as invalid, found this output:\n${output}`);
  return readFile(file, 'utf8');
}
