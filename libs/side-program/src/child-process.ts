import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

const MAX_OUTPUT = 2_000;

/** Somebody waits for a child process: it keeps this one alive. */
export function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

/** An idle child process does not keep this one alive. */
export function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  if (child.stderr instanceof Socket) child.stderr.unref();
}

/** @returns the end of what a child process has written as errors so far */
export function lastErrors(child: ChildProcess): () => string {
  let output = '';
  child.stderr?.on('data', (data: Buffer) => {
    output = (output + data.toString()).slice(-MAX_OUTPUT);
  });
  return () => output.trim();
}
