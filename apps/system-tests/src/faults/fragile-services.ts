import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@quarry/client';
import { SERVICES, startFiveServices, type FiveServices, type ServiceName } from '../quarry/five-services.js';
import { ROOT_KEY } from '../quarry/quarry-process.js';
import type { ServiceProcess } from '../quarry/service-process.js';
import { createServicesStack } from '../quarry/services-stack.js';
import type { Variables } from '../quarry/stack.js';
import { createKillFault, pickOneProcess, createSuspendFault, type Fault, type FragileStack } from './faults.js';
import { startFragileServers, type FragileServers } from './fragile-servers.js';
import {
  listDescendantProcesses,
  listProcessesByEnvironment,
  sendSignalToProcesses,
  type ProcessEntry,
} from './list-processes.js';
import { Violation } from './violation.js';

const READY_LIMIT_MS = 120_000;
const PROBE_MS = 100;
const OUTPUT_CHARACTERS = 12_000;
const MAX_ABSENCE_MS = 3_000;

/** Returns the reason why `startFragileServices` cannot run on this machine; undefined if it can. */
export function findMissingRequirement(): string | undefined {
  return createServicesStack().missing;
}

/** Starts two replicas of each service on PostgreSQL, Redis, Qdrant and S3, as production runs them. */
export async function startFragileServices(variables: Variables): Promise<FragileStack> {
  const mark = `quarry-faults-${crypto.randomUUID()}`;
  const servers = await startFragileServers();
  const services = await startFiveServices({ ...variables, QUARRY_FAULTS_MARK: mark }, servers);
  const replicas = Object.values(services.replicas).flat();
  return {
    title: 'five services, two of each',
    faults: [...listServerFaults(servers), ...SERVICES.flatMap((name) => listServiceFaults(name, services))],
    unavailable: servers.programs['S3'] === undefined ? ['kill S3: needs versitygw on PATH, found none'] : [],
    connect: () => createClient({ baseUrl: services.baseUrl, apiKey: ROOT_KEY }),
    verifyAlive: () => {
      // A stopped replica is no violation, because the other replica serves requests. `verifyProcesses` checks that the
      // stopped replica runs again.
    },
    verifyProcesses: async () => {
      for (const replica of replicas) await waitUntilReady(replica);
    },
    listBlobs: () => servers.listBlobs(),
    output: () => services.output().slice(-OUTPUT_CHARACTERS),
    stop: async () => {
      await services.stop();
      const left = await listProcessesByEnvironment(mark);
      sendSignalToProcesses('SIGKILL', left);
      if (left.length > 0) {
        throw new Violation(
          'left behind',
          `expected no process, found ${left.map(({ pid, command }) => `${pid} ${command}`).join(', ')}`,
        );
      }
    },
  };
}

function listServerFaults(servers: FragileServers): readonly Fault[] {
  return [
    ...Object.entries(servers.programs).flatMap(([name, program]) => [
      { name: `kill ${name}`, target: name, inject: async () => program.restart() },
      createSuspendFault(name, () => [program]),
    ]),
    { name: 'flush Redis', target: 'Redis', inject: async () => servers.flushRedis() },
    createKillFault('PostgreSQL', async () => servers.findPostgres()),
    createKillFault('a process of PostgreSQL', async (random) => pickOneProcess(random, await servers.findPostgres())),
    createSuspendFault('PostgreSQL', async () => servers.findPostgres()),
  ];
}

function listServiceFaults(name: ServiceName, services: FiveServices): readonly Fault[] {
  const replicas = services.replicas[name];
  const createEndFault = (how: string, end: (replica: ServiceProcess) => Promise<unknown>): Fault => ({
    name: `${how} ${name}`,
    target: name,
    inject: async (random) => {
      const some = random.isChosen(0.7) ? [random.chooseValue(replicas)] : replicas;
      await Promise.all(some.map(end));
      await pause(random.pickInteger(0, MAX_ABSENCE_MS));
      await Promise.all(some.map(restartRepeatedly));
    },
  });
  const faults = [
    createEndFault('kill', (replica) => replica.kill()),
    createEndFault('terminate', (replica) => replica.stop()),
    createSuspendFault(name, () => replicas),
  ];
  return name === 'ingestion-worker' ? [...faults, ...listReaderProcessFaults(replicas)] : faults;
}

function listReaderProcessFaults(workers: readonly ServiceProcess[]): readonly Fault[] {
  const findReaders = async (): Promise<readonly ProcessEntry[]> => {
    const all = await Promise.all(workers.map(({ pid }) => listDescendantProcesses(pid)));
    return all.flat().filter(({ command }) => command.includes('reader-process'));
  };
  return [
    createKillFault('a reading process', async (random) => pickOneProcess(random, await findReaders())),
    createSuspendFault('reading processes', findReaders),
  ];
}

/**
 * Starts a replica, and repeats failed starts, as Kubernetes does, because a server that it needs may be unavailable.
 */
async function restartRepeatedly(replica: ServiceProcess): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
  for (;;) {
    try {
      await replica.start();
      return;
    } catch (error) {
      if (Date.now() > deadline)
        throw new Violation('ended', `expected a service to start, found ${String(error)}`, { cause: error });
      await pause(PROBE_MS);
    }
  }
}

async function waitUntilReady(replica: ServiceProcess): Promise<void> {
  const deadline = Date.now() + READY_LIMIT_MS;
  for (;;) {
    if (replica.hasEnded())
      throw new Violation(
        'ended',
        `expected the service at port ${replica.port} to run, found that it has exited by itself`,
      );
    const response = await fetch(`http://127.0.0.1:${replica.port}/health/ready`).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok === true) return;
    if (Date.now() > deadline)
      throw new Violation(
        'stuck',
        `expected the service at port ${replica.port} to become ready, found that it is not`,
      );
    await pause(PROBE_MS);
  }
}
