// npm start: installs, builds, and runs Quarry on this machine until Ctrl-C.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bundleApps, getBundleEntry } from './bundles.mjs';
import { refuseArguments } from './refuse-arguments.mjs';
import {
  buildProjects,
  buildConsole,
  installPackages,
  getProjectNode,
  requireSupportedNode,
  root,
  createServiceEnvironment,
} from './toolchain.mjs';

refuseArguments('npm start');
await installPackages();
requireSupportedNode();
// apps/listing-check is built, too, because the guide uses its command.
await buildProjects('apps/standalone', 'apps/listing-check');
await buildConsole();
await bundleApps('standalone');

// When this process exits for any reason, the IPC channel closes, and Quarry shuts down.
const quarry = spawn(getProjectNode(), [getBundleEntry('standalone')], {
  cwd: root,
  env: createServiceEnvironment(),
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
quarry.once('exit', (code, signal) => {
  if (signal !== null) console.error(describeExitBySignal(signal));
  process.exit(code ?? 1);
});

// The terminal sends Ctrl-C to Quarry, too, so this process only waits until Quarry exits.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => quarry.kill('SIGTERM'));

// If npm is killed, it forwards no signal. Quarry is therefore stopped when a parent process changes.
if (process.env.npm_lifecycle_event !== undefined) {
  const begun = listParentProcessIds();
  setInterval(() => {
    if (listParentProcessIds() !== begun) quarry.kill('SIGTERM');
  }, 1_000).unref();
}

/** Returns a message for the user that explains an exit of Quarry by a signal. */
function describeExitBySignal(signal) {
  const cause = signal === 'SIGKILL' ? ', as the system does when memory runs out' : '';
  return `Quarry was stopped by ${signal}${cause}. Acknowledged data is safe; npm start resumes the work in progress.`;
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
