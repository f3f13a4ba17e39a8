// npm run start:services: installs, builds, and runs the five services until Ctrl-C, each in its own process. The
// environment contains the addresses of the servers that the services use. Prints the output of all services. When one
// service exits, the other services are stopped.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { buildServiceUrl } from './build-service-url.mjs';
import { bundleApps, getBundleEntry } from './bundles.mjs';
import { readVariable, selectDefaults } from './environment-variables.mjs';
import { refuseArguments } from './refuse-arguments.mjs';
import {
  buildProjects,
  buildConsole,
  buildNodeOptions,
  createChildEnvironment,
  installPackages,
  getProjectNode,
  requireSupportedNode,
  root,
} from './toolchain.mjs';

const REQUIRED = [
  [['DATABASE_URL'], 'PostgreSQL, such as postgres://quarry:secret@localhost:5432/quarry'],
  [['QUARRY_QUEUE_URL'], 'Redis, such as redis://localhost:6379'],
  [['QDRANT_URL', 'QUARRY_LANCEDB_DIR'], 'Qdrant, such as http://localhost:6333; or a folder for LanceDB'],
  [['QUARRY_BLOB_URL'], 'storage of uploads: s3://bucket/prefix, or file:///folder'],
  [['QUARRY_ROOT_KEY'], 'the operator’s API key, 8 to 200 characters: openssl rand -hex 24'],
  [['QUARRY_SEALING_KEY'], 'key that encrypts customers’ secrets; never lose it: openssl rand -base64 32'],
];
/**
 * Lists the services in the order of their start. Each service uses the next port after the port of the previous
 * service.
 */
const SERVICES = ['gateway', 'query', 'ingestion-worker', 'crawler', 'catalog-sync'];
const START_DEADLINE_MS = 90_000;

refuseArguments('npm run start:services');

const missing = REQUIRED.filter(([names]) => names.every((name) => readVariable(name) === undefined));
if (missing.length > 0) {
  console.error('The five services need these environment variables, which are not set:');
  for (const [names, meaning] of missing) console.error(`  ${names.join(' or ').padEnd(34)} ${meaning}`);
  console.error('npm start runs Quarry on this machine without these variables.');
  process.exit(1);
}

const host = readVariable('QUARRY_HOST') ?? '0.0.0.0';
const firstPort = Number(readVariable('QUARRY_PORT') ?? 3000);
const lastPort = firstPort + SERVICES.length - 1;
if (!Number.isInteger(firstPort) || firstPort < 1 || lastPort > 65_535) {
  console.error(`QUARRY_PORT must be a whole number from 1 to ${65_536 - SERVICES.length}, found ${firstPort}.`);
  process.exit(1);
}
const getServicePort = (name) => firstPort + SERVICES.indexOf(name);
const getServiceUrl = (name) => buildServiceUrl(host, getServicePort(name));
const used = await findUsedPorts();
if (used.length > 0) {
  console.error(
    `The services need the ports ${firstPort} to ${lastPort}; in use: ${used.join(', ')}. Free these ports, or set QUARRY_PORT.`,
  );
  process.exit(1);
}

await installPackages();
requireSupportedNode();
await buildProjects(...SERVICES.map((name) => `apps/${name}`));
await buildConsole();
await bundleApps(...SERVICES);

const shared = createChildEnvironment({
  NODE_OPTIONS: buildNodeOptions(),
  ...selectDefaults({
    QUARRY_INTERNAL_TOKEN: randomBytes(32).toString('base64url'),
    QUARRY_QUERY_URL: getServiceUrl('query'),
    QUARRY_GATEWAY_URL: getServiceUrl('gateway'),
  }),
});

let stopping = false;
let exitCode = 0;
const children = SERVICES.map(startService);
process.on('SIGINT', () => stopServices(0));
process.on('SIGTERM', () => stopServices(0));

const ready = await Promise.all(SERVICES.map(isServiceReady));
if (!stopping) {
  if (ready.every(Boolean)) console.log(`Quarry is ready at ${getServiceUrl('gateway')}/api`);
  else {
    const late = SERVICES.filter((_name, index) => !ready[index]).join(', ');
    console.error(`These services are not ready after ${START_DEADLINE_MS / 1000} s: ${late}`);
    stopServices(1);
  }
}

async function findUsedPorts() {
  const names = await Promise.all(
    SERVICES.map(async (name) => ((await isPortFree(getServicePort(name))) ? [] : [getServicePort(name)])),
  );
  return names.flat();
}

function isPortFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host }, () => probe.close(() => resolve(true)));
  });
}

function startService(name) {
  const child = spawn(getProjectNode(), [getBundleEntry(name)], {
    cwd: root,
    env: { ...shared, QUARRY_PORT: String(getServicePort(name)) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  child.once('exit', (code, signal) => {
    if (!stopping) console.error(`${name} exited (${signal ?? `exit code ${code}`}); stopping the other services`);
    stopServices(code === 0 && stopping ? 0 : 1);
  });
  return child;
}

/** Stops all services, and exits with a code after all of them have exited. */
function stopServices(code) {
  exitCode = Math.max(exitCode, code);
  const running = children.filter((child) => child.exitCode === null && child.signalCode === null);
  if (running.length === 0) process.exit(exitCode);
  if (!stopping) for (const child of running) child.kill('SIGTERM');
  stopping = true;
}

async function isServiceReady(name) {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!stopping && Date.now() < deadline) {
    const response = await fetch(`${getServiceUrl(name)}/health/ready`).catch(() => undefined);
    if (response?.ok) return true;
    await pause(200);
  }
  return false;
}
