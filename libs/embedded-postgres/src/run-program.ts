import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

/** Identifies the account that runs a program. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export interface ProgramRun {
  /** Holds the exit code. `null`: the program could not be started, or exceeded its time limit. */
  readonly exitCode: number | null;
  /** Holds the output of both streams, or the reason why the program could not be started. */
  readonly output: string;
}

// libpq and initdb read settings from the environment, which must not affect a cluster.
const ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };

/** Runs a program in a new session, so that Ctrl-C in the terminal does not reach it. Never throws. */
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
    const collectOutput = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collectOutput);
    child.stderr.on('data', collectOutput);
    child.once('error', (error) => {
      resolve({ exitCode: null, output: error.message });
    });
    child.once('close', (exitCode) => {
      resolve({ exitCode, output: output.trim() });
    });
  });
}
