import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

const MAX_OUTPUT = 2_000;

/** Lets a child process keep this one alive, while a caller waits for it. */
export function refChild(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

/** Lets this process end although an idle child process runs. */
export function unrefChild(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
}

/** Returns a function that returns the end of the error output of a child process so far. */
export function captureErrorOutput(child: ChildProcess): () => string {
  let output = '';
  child.stderr?.on('data', (data: Buffer) => {
    output = (output + data.toString()).slice(-MAX_OUTPUT);
  });
  return () => output.trim();
}
