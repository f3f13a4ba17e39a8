// npm start: installs, builds, and runs Quarry on this machine until Ctrl-C.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  build,
  buildConsole,
  install,
  projectNode,
  requireNode,
  root,
  createServiceEnvironment,
} from './toolchain.mjs';

await install();
requireNode();
// The user guide also uses the command of apps/listing-check.
await build('apps/standalone', 'apps/listing-check');
await buildConsole();

// The IPC channel closes when this process exits for any reason, and Quarry then stops.
const quarry = spawn(projectNode(), ['apps/standalone/dist/main.js'], {
  cwd: root,
  env: createServiceEnvironment(),
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
quarry.once('exit', (code, signal) => {
  if (signal !== null) console.error(describeSignal(signal));
  process.exit(code ?? 1);
});

// The terminal sends Ctrl-C to Quarry too. This process waits for its exit.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => quarry.kill('SIGTERM'));

// A killed npm forwards no signal. A shell between npm and this process may stay alive.
if (process.env.npm_lifecycle_event !== undefined) {
  const begun = listParentProcesses();
  setInterval(() => {
    if (listParentProcesses() !== begun) quarry.kill('SIGTERM');
  }, 1_000).unref();
}

/** Describes an exit of Quarry by a signal, as a message for the user. */
function describeSignal(signal) {
  const cause = signal === 'SIGKILL' ? ', as the system does when memory runs out' : '';
  return `Quarry was stopped by ${signal}${cause}. Acknowledged data is safe; npm start continues where it was.`;
}

/** Returns the ids of the parent process and, if it is a shell, of its parent. One of the two processes is npm. */
function listParentProcesses() {
  const parent = process.ppid;
  const shell = getShellParent(parent);
  return shell === undefined ? `${parent}` : `${parent} ${shell}`;
}

/** Returns the id of the parent process of a shell, from /proc. Returns undefined for other programs and other systems. */
function getShellParent(pid) {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return /^(sh|dash|bash|ash|busybox)$/.test(name) ? parent : undefined;
  } catch {
    return undefined;
  }
}
