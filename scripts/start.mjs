// npm start: installs, builds, and runs Quarry on this machine until Ctrl-C.
import { spawn } from 'node:child_process';
import { build, environment, install, projectNode, requireNode, root } from './toolchain.mjs';

await install();
requireNode();
await build('apps/standalone');

// Its own end of an IPC channel tells Quarry when this process is gone, however it went.
const quarry = spawn(projectNode(), ['apps/standalone/dist/main.js'], {
  cwd: root,
  env: environment(),
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
quarry.once('exit', (code) => process.exit(code ?? 1));

// Ctrl-C reaches Quarry by itself; this process only has to outlive it.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => quarry.kill('SIGTERM'));

// npm that was killed passes no signal on.
if (process.env.npm_lifecycle_event !== undefined) {
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) quarry.kill('SIGTERM');
  }, 1_000).unref();
}
