import { findFreePort } from '@quarry/queue-bullmq/testing';
import { startRoundRobinProxy } from './round-robin.js';
import { startServers, type Servers } from './servers.js';
import { startService, type ServiceProcess } from './service-process.js';
import type { RunningStack, Variables } from './stack.js';

export const SERVICES = ['query', 'ingestion-worker', 'crawler', 'catalog-sync', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface FiveServices extends RunningStack {
  /** Maps each service to all its replicas. */
  readonly replicas: Readonly<Record<ServiceName, readonly ServiceProcess[]>>;
}

const REPLICAS = 2;

/**
 * Starts two replicas of each service in parallel, and the servers that they need. The result's `stop` stops all of
 * them.
 *
 * @param given running servers, such as PostgreSQL, to use instead of new ones
 */
export async function startFiveServices(variables: Variables, given?: Servers): Promise<FiveServices> {
  const servers = given ?? (await startServers());
  const ports = await findFreePorts(REPLICAS * SERVICES.length);
  const getPorts = (name: ServiceName): readonly number[] =>
    ports.slice(SERVICES.indexOf(name) * REPLICAS, (SERVICES.indexOf(name) + 1) * REPLICAS);
  const query = await startRoundRobinProxy(getPorts('query'));
  const gateway = await startRoundRobinProxy(getPorts('gateway'));
  const environment = {
    ...servers.variables,
    QUARRY_QUERY_URL: query.url,
    QUARRY_GATEWAY_URL: gateway.url,
    ...variables,
  };
  const starting = SERVICES.flatMap((name) =>
    getPorts(name).map(async (port) => ({ name, replica: await startService(name, port, environment) })),
  );
  const outcomes = await Promise.allSettled(starting);
  const started = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const all = started.map(({ replica }) => replica);
  const stop = async (): Promise<void> => {
    await Promise.all(all.map((replica) => replica.stop()));
    await Promise.all([query.close(), gateway.close()]);
    await servers.stop();
  };
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) {
    await stop();
    throw failure.reason;
  }
  const getReplicas = (name: ServiceName): readonly ServiceProcess[] =>
    started.filter((one) => one.name === name).map(({ replica }) => replica);
  return {
    baseUrl: `${gateway.url}/api`,
    replicas: Object.fromEntries(SERVICES.map((name) => [name, getReplicas(name)])) as FiveServices['replicas'], // each service has replicas
    output: () => all.map((replica) => replica.output()).join('\n'),
    async restart(how) {
      await Promise.all(all.map((replica) => (how === 'killed' ? replica.kill() : replica.stop())));
      await Promise.all(all.map((replica) => replica.start()));
    },
    stop,
  };
}

/** Returns `count` different free ports. Separate calls of `findFreePort` could return the same port twice. */
async function findFreePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  while (found.size < count) found.add(await findFreePort());
  return [...found];
}
