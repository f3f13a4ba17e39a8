// npm start: installs, builds, and runs Quarry on this machine until Ctrl-C.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { build, environment, install, projectNode, requireNode, root } from './toolchain.mjs';

await install();
requireNode();
// The user guide uses the listing check, so it is built too.
await build('apps/standalone', 'apps/listing-check');

// The IPC channel closes when this process exits for any reason, and Quarry then stops.
const quarry = spawn(projectNode(), ['apps/standalone/dist/main.js'], {
  cwd: root,
  env: environment(),
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
quarry.once('exit', (code, signal) => {
  if (signal !== null) console.error(describeSignal(signal));
  process.exit(code ?? 1);
});

// The terminal sends Ctrl-C to Quarry too. This process waits for its exit.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => quarry.kill('SIGTERM'));

// A killed npm forwards no signal, and its shell may stay between npm and this process.
if (process.env.npm_lifecycle_event !== undefined) {
  const begun = parentProcesses();
  setInterval(() => {
    if (parentProcesses() !== begun) quarry.kill('SIGTERM');
  }, 1_000).unref();
}

/** Describes an exit by a signal. The data is safe, and the next start reuses a database server that still runs. */
function describeSignal(signal) {
  const cause = signal === 'SIGKILL' ? ', as the system does when memory runs out' : '';
  return `Quarry was stopped by ${signal}${cause}. Acknowledged data is safe; npm start continues where it was.`;
}

/** Returns the parent of this process and, if it is a shell, the shell's parent. One of the two is npm. */
function parentProcesses() {
  const parent = process.ppid;
  const shell = shellParent(parent);
  return shell === undefined ? `${parent}` : `${parent} ${shell}`;
}

/** Returns the parent of a shell, from /proc; undefined for other programs and other systems. */
function shellParent(pid) {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return /^(sh|dash|bash|ash|busybox)$/.test(name) ? parent : undefined;
  } catch {
    return undefined;
  }
}
