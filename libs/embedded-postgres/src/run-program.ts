import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

/** The account a program runs under. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export interface ProgramRun {
  /** `null`: the program could not be started, or was killed because its time was over. */
  readonly exitCode: number | null;
  /** What it wrote to both streams; why it could not be started, when it could not. */
  readonly output: string;
}

// libpq and initdb read settings from the environment: what the caller happens to have there must not change a cluster.
const ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };

/** Runs a program in a session of its own, so that Ctrl-C in the terminal does not reach it. Never throws. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: { readonly timeoutMs: number; readonly as: Identity | undefined },
): Promise<ProgramRun> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: options.as === undefined ? dirname(file) : '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      ...(process.platform === 'win32' ? {} : { env: ENVIRONMENT }),
      ...options.as,
    });
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => {
      resolve({ exitCode: null, output: error.message });
    });
    child.once('close', (exitCode) => {
      resolve({ exitCode, output: output.trim() });
    });
  });
}
