import { findFreePort } from '@quarry/queue-bullmq/testing';
import { startRoundRobin } from './round-robin.js';
import { startServers, type Servers } from './servers.js';
import { startService, type ServiceProcess } from './service-process.js';
import type { RunningStack, Variables } from './stacks.js';

export const SERVICES = ['query', 'ingestion-worker', 'crawler', 'catalog-sync', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface FiveServices extends RunningStack {
  /** Every replica of every service. */
  readonly replicas: Readonly<Record<ServiceName, readonly ServiceProcess[]>>;
}

const REPLICAS = 2;

/** Starts two of each service, all at once, on servers that end with them. */
export async function startFiveServices(variables: Variables, given?: Servers): Promise<FiveServices> {
  const servers = given ?? (await startServers());
  const ports = await freePorts(REPLICAS * SERVICES.length);
  const portsOf = (name: ServiceName): readonly number[] =>
    ports.slice(SERVICES.indexOf(name) * REPLICAS, (SERVICES.indexOf(name) + 1) * REPLICAS);
  const query = await startRoundRobin(portsOf('query'));
  const gateway = await startRoundRobin(portsOf('gateway'));
  const environment = {
    ...servers.variables,
    QUARRY_QUERY_URL: query.url,
    QUARRY_GATEWAY_URL: gateway.url,
    ...variables,
  };
  const start = (name: ServiceName): Promise<readonly ServiceProcess[]> =>
    Promise.all(portsOf(name).map((port) => startService(name, port, environment)));
  const started = await Promise.all(SERVICES.map(async (name) => [name, await start(name)] as const));
  const replicas = Object.fromEntries(started) as FiveServices['replicas']; // every service is in SERVICES
  return {
    baseUrl: `${gateway.url}/api`,
    replicas,
    output: () => started.flatMap(([, all]) => all.map((replica) => replica.output())).join('\n'),
    async restart(how) {
      const all = Object.values(replicas).flat();
      await Promise.all(all.map((replica) => (how === 'killed' ? replica.kill() : replica.stop())));
      await Promise.all(all.map((replica) => replica.start()));
    },
    async stop() {
      await Promise.all(started.flatMap(([, all]) => all.map((replica) => replica.stop())));
      await Promise.all([query.close(), gateway.close()]);
      await servers.stop();
    },
  };
}

/** Different ones: each is free when it is found, and the next could be the same. */
async function freePorts(count: number): Promise<readonly number[]> {
  const found = new Set<number>();
  while (found.size < count) found.add(await findFreePort());
  return [...found];
}
