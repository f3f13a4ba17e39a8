// npm start: installs, builds, and runs Quarry on this machine until Ctrl-C.
import { spawn } from 'node:child_process';
import { bundleApps, getBundleEntry } from './bundles.mjs';
import { refuseArguments } from './refuse-arguments.mjs';
import { watchStopRequests } from './stop-requests.mjs';
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
watchStopRequests((signal) => signal === 'SIGINT' || quarry.kill('SIGTERM'));

/** Returns a message for the user that explains an exit of Quarry by a signal. */
function describeExitBySignal(signal) {
  const cause = signal === 'SIGKILL' ? ', as the system does when memory runs out' : '';
  return `Quarry was stopped by ${signal}${cause}. Acknowledged data is safe; npm start resumes the work in progress.`;
}
