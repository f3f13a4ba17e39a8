import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FOLDER = fileURLToPath(new URL('../../peers/', import.meta.url));
const MAX_OUTPUT = 512 * 1_048_576;

/**
 * Runs a program of the folder `peers` in a process of its own. @returns what it printed, as JSON
 *
 * @throws where what it works with is not installed
 */
export async function runPeer(program: string, args: readonly string[]): Promise<unknown> {
  if (!existsSync(`${FOLDER}node_modules`))
    throw new Error(
      'what Quarry is measured against is not installed: npm install --no-save --ignore-scripts --prefix bench/peers',
    );
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    cwd: FOLDER,
    maxBuffer: MAX_OUTPUT,
  });
  return stdout === '' ? undefined : (JSON.parse(stdout) as unknown);
}
