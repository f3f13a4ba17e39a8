import { findFreePort } from '@quarry/queue-bullmq/testing';
import { openBreakableLink, type BreakableLink } from './breakable-link.js';
import { SERVICES, type ServiceName } from './five-services.js';
import { startServers } from './servers.js';
import { startService, type ServiceProcess } from './service-process.js';
import type { Variables } from './stack.js';

/** For each server whose connections a test can break: the environment variable that contains its address. */
const LINKED = { queue: 'QUARRY_QUEUE_URL', blobs: 'QUARRY_S3_ENDPOINT', fragments: 'QDRANT_URL' } as const;
export type LinkName = keyof typeof LINKED;

/**
 * Controls one running replica of each service. A test can break the services' connections to servers such as Redis.
 */
export interface LinkedServices {
  readonly baseUrl: string;
  readonly services: Readonly<Record<ServiceName, ServiceProcess>>;
  readonly links: Readonly<Record<LinkName, BreakableLink>>;
  /** URL of Redis itself, which a test can reach even while the link to Redis is broken. */
  readonly redisUrl: string;
  /** URL of PostgreSQL. Tests cannot break its connections. */
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

export async function startLinkedServices(variables: Variables = {}): Promise<LinkedServices> {
  const servers = await startServers();
  const links = await createForEachLink((name) =>
    openBreakableLink(getPortFromUrlVariable(servers.variables, LINKED[name])),
  );
  const linked = await createForEachLink((name) => {
    const address = new URL(servers.variables[LINKED[name]] ?? '');
    address.port = String(links[name].port);
    return Promise.resolve(address.href.replace(/\/$/, ''));
  });
  const ports = new Map<ServiceName, number>();
  while (ports.size < SERVICES.length) {
    const port = await findFreePort();
    const name = SERVICES[ports.size];
    if (name !== undefined && ![...ports.values()].includes(port)) ports.set(name, port);
  }
  const getUrl = (name: ServiceName): string => `http://127.0.0.1:${ports.get(name)}`;
  const environment = {
    ...servers.variables,
    ...Object.fromEntries(Object.entries(LINKED).map(([name, variable]) => [variable, linked[name as LinkName]])),
    QUARRY_QUERY_URL: getUrl('query'),
    QUARRY_GATEWAY_URL: getUrl('gateway'),
    ...variables,
  };
  const started = await Promise.all(
    SERVICES.map(async (name) => [name, await startService(name, ports.get(name) ?? 0, environment)] as const),
  );
  return {
    baseUrl: `${getUrl('gateway')}/api`,
    services: Object.fromEntries(started) as LinkedServices['services'], // SERVICES contains each service
    links,
    redisUrl: servers.variables[LINKED.queue] ?? '',
    databaseUrl: servers.variables['DATABASE_URL'] ?? '',
    async stop() {
      await Promise.all(Object.values(links).map((link) => link.restore()));
      await Promise.all(started.map(([, service]) => service.stop()));
      await Promise.all(Object.values(links).map((link) => link.close()));
      await servers.stop();
    },
  };
}

/** Calls `make` in parallel for each server in `LINKED`. Returns the results, keyed by the name of the server. */
async function createForEachLink<T>(make: (name: LinkName) => Promise<T>): Promise<Readonly<Record<LinkName, T>>> {
  const [queue, blobs, fragments] = await Promise.all([make('queue'), make('blobs'), make('fragments')]);
  return { queue, blobs, fragments };
}

function getPortFromUrlVariable(variables: Variables, name: string): number {
  const address = variables[name];
  if (address === undefined)
    throw new Error(`expected the servers to set the variable ${name}, found that it is missing`);
  return Number(new URL(address).port);
}
