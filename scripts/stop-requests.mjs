// Notices that a program of this folder must stop: because of a signal, or because npm, which started it, has ended.
import { readFileSync } from 'node:fs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Ids of the parent processes at the start of this process. */
const PARENTS = listParentProcessIds();

/**
 * Calls a function with each signal that asks this process to stop, and with SIGTERM when a parent process has changed:
 * if npm is killed, it forwards no signal.
 *
 * @returns a function that ends the watch
 */
export function watchStopRequests(onRequest) {
  const handleSignal = (signal) => onRequest(signal);
  for (const signal of SIGNALS) process.on(signal, handleSignal);
  const isStartedByNpm = process.env.npm_lifecycle_event !== undefined;
  const checking = setInterval(() => {
    if (isStartedByNpm && listParentProcessIds() !== PARENTS) onRequest('SIGTERM');
  }, 1_000).unref();
  return () => {
    for (const signal of SIGNALS) process.off(signal, handleSignal);
    clearInterval(checking);
  };
}

/**
 * Returns the id of the parent process, and the id of its parent if the parent process is a shell. One of the two is
 * npm.
 */
function listParentProcessIds() {
  const parent = process.ppid;
  const shell = getShellParent(parent);
  return shell === undefined ? `${parent}` : `${parent} ${shell}`;
}

/**
 * Returns the id of the parent of a shell process, from /proc. Returns undefined if the process is no shell, or the
 * system is not Linux.
 */
function getShellParent(pid) {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return /^(sh|dash|bash|ash|busybox)$/.test(name) ? parent : undefined;
  } catch {
    return undefined;
  }
}
