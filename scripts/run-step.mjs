// Runs the commands by which an npm script installs and builds. It imports only modules of Node, as toolchain.mjs does.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { watchStopRequests } from './stop-requests.mjs';

/**
 * Runs a command, and prints the title and the duration of the step. If this process must stop, kills the command with
 * its child processes first, and exits with the code of the signal.
 *
 * @param options options of `spawn`, such as `cwd` and `env`
 * @returns the exit code and the output of the command
 */
export async function runStep(title, [file, ...args], options) {
  const begun = Date.now();
  const formatSeconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  const live = process.stdout.isTTY;
  process.stdout.write(live ? `${title} …` : `${title} …\n`);
  const ticking = setInterval(
    () => {
      process.stdout.write(live ? `\r${title} … ${formatSeconds()}` : `  … ${formatSeconds()}\n`);
    },
    live ? 1_000 : 15_000,
  );
  const { code, output, stopSignal } = await runAndCaptureOutput(file, args, options);
  clearInterval(ticking);
  const outcome = stopSignal !== undefined ? 'stopped after' : code === 0 ? 'done in' : 'failed after';
  process.stdout.write(`${live ? '\r' : ''}${title} … ${outcome} ${formatSeconds()}\n`);
  if (stopSignal !== undefined) process.exit(128 + constants.signals[stopSignal]);
  return { code, output };
}

/** Resolves after the command has ended, also if a request to stop this process has killed it. */
async function runAndCaptureOutput(file, args, options) {
  const isGroupLeader = process.platform !== 'win32';
  const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: isGroupLeader });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const kill = () => {
    try {
      // npm obeys no other signal before it has written all packages. The next start repeats the step in any case.
      process.kill(isGroupLeader ? -child.pid : child.pid, 'SIGKILL');
    } catch {
      // The command has ended already.
    }
  };
  let stopSignal;
  const endWatch = watchStopRequests((signal) => {
    stopSignal = signal;
    kill();
  });
  process.once('exit', kill);
  const code = await new Promise((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve(1);
    });
    child.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  process.off('exit', kill);
  endWatch();
  return { code, output, stopSignal };
}
