// Runs the installations of npm. It imports only modules of this folder, as toolchain.mjs does.
import { runStepOrExit, runStepWithProgress } from './project-step.mjs';

/** Matches the codes of npm for a registry that does not respond. */
const UNREACHABLE =
  /\bcode (ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|E\w*TIMED?OUT|FETCH_ERROR|ERR_SOCKET_TIMEOUT)\b/;

/**
 * Runs an installation of npm, or exits with an explanation. Without the registry, npm would retry each package for
 * minutes, so the packages must then be in the cache of npm.
 */
export async function runNpmStep(title, ...args) {
  const reason = await findRegistryFailure();
  if (reason === undefined) return runStepOrExit(title, buildNpmCommand(...args));
  const { code, output } = await runStepWithProgress(
    `${title}, from the cache of npm`,
    buildNpmCommand(...args, '--offline'),
  );
  if (code === 0) return undefined;
  console.error(`\n${output}
The package registry cannot be reached (${reason}), and the cache of npm does not contain all packages.
Check the network connection, and the settings registry and proxy of npm. Then try again.`);
  return process.exit(1);
}

/** Returns the code of the error if the registry does not respond. Each of the three requests may take 5 seconds. */
async function findRegistryFailure() {
  const retries = ['--fetch-retries=2', '--fetch-retry-factor=2', '--fetch-retry-mintimeout=1000'];
  const command = buildNpmCommand('ping', ...retries, '--fetch-timeout=5000');
  const { output } = await runStepWithProgress('Connecting to the package registry', command);
  return UNREACHABLE.exec(output)?.[1];
}

export function buildNpmCommand(...args) {
  const path = process.env.npm_execpath;
  const command = path === undefined ? ['npm'] : [process.execPath, path];
  return [...command, ...args, '--loglevel=error'];
}
