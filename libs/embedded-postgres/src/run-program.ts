import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

/** Identifies an account of the operating system. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

export interface ProgramRun {
  /**
   * Exit code of the program. Null: the program could not be started, or a signal ended it, for example after
   * `timeoutMs`.
   */
  readonly exitCode: number | null;
  /** Standard output and standard error of the program, or the reason why it could not be started. */
  readonly output: string;
}

// Programs do not inherit the environment of this process, because libpq and initdb would read settings from it.
const ENVIRONMENT = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin' };

/**
 * Runs a program, and resolves when it ends. The program has its own session, so that Ctrl-C in the terminal does not
 * end it. Never throws.
 */
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
