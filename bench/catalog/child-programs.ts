import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Starts a program in bench/catalog. @returns its process, and the message that it sends when it is ready */
export async function startChildProgram(
  file: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<readonly [ChildProcess, string]> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv: [...nodeOptions] });
  const [first] = (await once(child, 'message')) as [string]; // each program sends a message when it is ready
  return [child, first];
}

/** Sends a message to a program, and waits for its response. @throws Error if the program exits before it responds */
export async function sendRequestToChild<T>(child: ChildProcess, message: string | number | object): Promise<T> {
  const answer = once(child, 'message') as Promise<[T]>; // the program sends this form
  child.send(message);
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error('the child process exited before it responded')),
  );
  return (await Promise.race([answer, ended]))[0];
}
