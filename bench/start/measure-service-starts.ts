import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '@quarry/queue-bullmq/testing';
import { getAppEntry, startServers, startService, type ServiceProcess, type Variables } from '@quarry/system-tests';
import { readCpuSeconds } from '../quarry/cpu-seconds.js';
import { measureDuration } from '../quarry/measure-duration.js';
import { computePercentile } from '../quarry/percentile.js';
import { listProcessTree, readProcessMemory, type ProcessesMemory } from './read-memory.js';

/** The services, in the order in which they are started. */
const SERVICES = ['gateway', 'query', 'ingestion-worker', 'crawler', 'catalog-sync'] as const;
const SETTLE_MS = 5_000;

/** Median start times of one service, and the memory of the idle service. */
export interface ServiceFigures {
  readonly name: string;
  /**
   * Time in milliseconds until a service without settings exits with an error, which is the time to load its modules.
   */
  readonly modulesMs: number;
  readonly readyMs: number;
  /** CPU seconds of the process until it is ready. */
  readonly cpuSeconds: number;
  readonly memory: ProcessesMemory;
}

/** Measures `runs` starts of each service on PostgreSQL, Redis and Qdrant. */
export async function measureServiceStarts(runs: number): Promise<readonly ServiceFigures[]> {
  const servers = await startServers();
  const started: ServiceProcess[] = [];
  try {
    const [gatewayPort = 0, queryPort = 0, ...ports] = await Promise.all(SERVICES.map(async () => findFreePort()));
    const variables = {
      ...servers.variables,
      ...readNativeVariables(),
      QUARRY_GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
      QUARRY_QUERY_URL: `http://127.0.0.1:${queryPort}`,
    };
    const figures: Omit<ServiceFigures, 'memory'>[] = [];
    for (const [at, port] of [gatewayPort, queryPort, ...ports].entries()) {
      const name = SERVICES[at] ?? '';
      // The first start of the gateway creates the tables, and is not measured.
      const service = await startService(name, port, variables);
      started.push(service);
      figures.push({ name, ...(await measureStartsOfService(name, service, runs)) });
    }
    await wait(SETTLE_MS);
    return await Promise.all(
      figures.map(async (figure, at) => ({
        ...figure,
        memory: await readProcessMemory(await listProcessTree(started[at]?.pid ?? 0)),
      })),
    );
  } finally {
    await Promise.all(started.map((service) => service.stop()));
    await servers.stop();
  }
}

/**
 * Returns the environment variables that the Docker images set for the native libraries and Node. The values are those
 * of this process, because scripts/toolchain.mjs sets the same variables for benchmarks.
 */
function readNativeVariables(): Variables {
  const names = [
    'MALLOC_ARENA_MAX',
    'MALLOC_MMAP_THRESHOLD_',
    'MALLOC_TRIM_THRESHOLD_',
    'LANCEDB_LOG',
    'NODE_COMPILE_CACHE',
    'NODE_OPTIONS',
  ];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

async function measureStartsOfService(
  name: string,
  service: ServiceProcess,
  runs: number,
): Promise<Omit<ServiceFigures, 'name' | 'memory'>> {
  const modules: number[] = [];
  const ready: number[] = [];
  const cpu: number[] = [];
  for (let turn = 0; turn < runs; turn += 1) {
    modules.push((await measureDuration(() => waitForRefusal(name))).ms);
    await service.stop();
    ready.push((await measureDuration(() => service.start())).ms);
    cpu.push(await readCpuSeconds(service.pid));
  }
  return {
    modulesMs: computePercentile(modules, 50),
    readyMs: computePercentile(ready, 50),
    cpuSeconds: computePercentile(cpu, 50),
  };
}

/** Time after which a service without settings is killed if it still runs, in milliseconds. */
const REFUSAL_TIMEOUT_MS = 30_000;

/**
 * Starts a service without settings, and waits until it exits because settings are missing.
 *
 * @throws Error if the service exits without the message that it could not start, or is killed after
 * `REFUSAL_TIMEOUT_MS`
 */
async function waitForRefusal(name: string): Promise<void> {
  const child = spawn(process.execPath, [getAppEntry(name)], {
    env: { PATH: process.env['PATH'], ...readNativeVariables() },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: REFUSAL_TIMEOUT_MS,
  });
  const closed = once(child, 'close');
  const output = await text(child.stderr);
  await closed;
  if (child.exitCode !== 1 || !output.includes('could not start'))
    throw new Error(
      `expected ${name} to exit with code 1 because it could not start, found code ${child.exitCode} and:\n${output}`,
    );
}
