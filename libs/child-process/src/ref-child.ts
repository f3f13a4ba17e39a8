import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

const MAX_OUTPUT = 2_000;

/** Prevents this process from exiting while the child process runs. Call it before the child starts to work. */
export function refChild(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

/** Lets this process exit although the child process runs. Call it when the child is idle. */
export function unrefChild(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
}

/**
 * Captures the standard error of a child process.
 *
 * @returns a function that returns the last `MAX_OUTPUT` characters of the output so far
 */
export function captureErrorOutput(child: ChildProcess): () => string {
  let output = '';
  child.stderr?.on('data', (data: Buffer) => {
    output = (output + data.toString()).slice(-MAX_OUTPUT);
  });
  return () => output.trim();
}
