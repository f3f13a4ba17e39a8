// npm start: installs, builds, and runs Quarry on this machine until Ctrl-C.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { build, environment, install, projectNode, requireNode, root } from './toolchain.mjs';

await install();
requireNode();
// What the guide has users run beside it is built with it.
await build('apps/standalone', 'apps/listing-check');

// Its own end of an IPC channel tells Quarry when this process is gone, however it went.
const quarry = spawn(projectNode(), ['apps/standalone/dist/main.js'], {
  cwd: root,
  env: environment(),
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
quarry.once('exit', (code, signal) => {
  if (signal !== null) console.error(endedBy(signal));
  process.exit(code ?? 1);
});

// Ctrl-C reaches Quarry by itself; this process only has to outlive it.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => quarry.kill('SIGTERM'));

// npm that was killed passes no signal on, and may have left its shell between itself and this process.
if (process.env.npm_lifecycle_event !== undefined) {
  const begun = lineage();
  setInterval(() => {
    if (lineage() !== begun) quarry.kill('SIGTERM');
  }, 1_000).unref();
}

/** Its data is safe, and its database server, if it still runs, is used by the next start. */
function endedBy(signal) {
  const cause = signal === 'SIGKILL' ? ', as the system does when memory runs out' : '';
  return `Quarry was ended by ${signal}${cause}. What it had acknowledged is kept; npm start continues where it was.`;
}

/** This process's parent, and where that is a shell, the shell's parent: one of the two is npm. */
function lineage() {
  const parent = process.ppid;
  const shell = shellParent(parent);
  return shell === undefined ? `${parent}` : `${parent} ${shell}`;
}

/** Linux alone shows it for free; elsewhere npm's own parent is not known. */
function shellParent(pid) {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return /^(sh|dash|bash|ash|busybox)$/.test(name) ? parent : undefined;
  } catch {
    return undefined;
  }
}
