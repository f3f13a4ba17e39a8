import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { listAllowedConnections } from './connections.js';
import type { Manifest } from './manifest.js';
import { canReachAddress } from './reachable.js';
import { SKIP_NOTE, canRender, renderOverlay } from './render.js';

/** URL paths of the gateway's APIs and of their documentation. */
const SERVICE_PATHS = ['/api', '/v1', '/mcp', '/.well-known/oauth-protected-resource', '/docs', '/openapi.json'];

const APPS = new URL('../../../', import.meta.url);

/**
 * Imports a module of another app by its path, because the package of the app does not export the module.
 *
 * @param path relative to the folder `apps`
 */
async function importSource(path: string): Promise<unknown> {
  return import(new URL(path, APPS).href);
}

/** Returns the URL path prefixes of the console: those of its files, and the first path segments of its screens. */
async function listConsolePaths(): Promise<readonly string[]> {
  const { ADDRESSES } = (await importSource('console/src/routing/addresses.ts')) as {
    ADDRESSES: Readonly<Record<string, string>>;
  };
  const files = (await readdir(new URL('console/public/', APPS))).map((name) => `/${name}`);
  return [...new Set([...Object.values(ADDRESSES).map(getFirstSegment), '/assets', ...files])];
}

/**
 * Returns the first segments of paths in earlier versions of the API, except those that are now paths of the console.
 */
async function listOlderPaths(): Promise<readonly string[]> {
  const { OLDER_PATHS } = (await importSource('gateway/src/http/compatibility/older-paths.ts')) as {
    OLDER_PATHS: readonly { readonly path: string }[];
  };
  const isOfConsole = (path: string): boolean => ['/agents', '/datastores'].includes(path);
  return [...new Set(OLDER_PATHS.map(({ path }) => getFirstSegment(path)))].filter((path) => !isOfConsole(path));
}

function getFirstSegment(path: string): string {
  return `/${path.split('/')[1] ?? ''}`;
}

/** Outgoing connections that the egress rules must allow: these and no others. */
const OUTGOING = [
  'catalog-sync -> gateway:http',
  'catalog-sync -> internet',
  'catalog-sync -> quarry-servers/redis',
  'catalog-sync -> quarry-servers/s3',
  'crawler -> gateway:http',
  'crawler -> internet',
  'crawler -> quarry-servers/redis',
  'crawler -> quarry-servers/s3',
  'gateway -> internet',
  'gateway -> quarry-servers/postgresql',
  'gateway -> quarry-servers/redis',
  'gateway -> quarry-servers/s3',
  'gateway -> query:http',
  'ingestion-worker -> gateway:http',
  'ingestion-worker -> quarry-servers/embedder',
  'ingestion-worker -> quarry-servers/qdrant',
  'ingestion-worker -> quarry-servers/redis',
  'ingestion-worker -> quarry-servers/s3',
  'quarry -> kube-system/kube-dns:53',
  'quarry -> monitoring/opentelemetry-collector:4318',
  'query -> internet:443',
  'query -> quarry-servers/embedder',
  'query -> quarry-servers/qdrant',
];
/** Incoming connections that the ingress rules must allow: these and no others. */
const INCOMING = [
  'catalog-sync -> gateway:http',
  'crawler -> gateway:http',
  'gateway -> query:http',
  'ingestion-worker -> gateway:http',
  'monitoring/* -> quarry:http',
  'true/* -> gateway:http', // from a namespace with the label quarry/edge=true
];
/** Outgoing connections that an overlay allows in addition to `OUTGOING`, keyed by the name of the overlay. */
const ADDED: Readonly<Record<string, readonly string[]>> = {
  dev: [],
  prod: ['ingestion-worker -> 10.20.30.0/24:443'], // S3 outside the cluster, as set in cluster.env
};
/** Addresses that no service may reach: one of each private range, and those of cloud metadata services. */
const PRIVATE = [
  '0.0.0.1',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '192.0.0.192',
  '192.168.0.1',
  '198.18.0.1',
  '224.0.0.1',
];
const PUBLIC = '93.184.216.34';

describe.runIf(canRender).each(['dev', 'prod'])(`the network policies of %s${SKIP_NOTE}`, (overlay) => {
  let manifests: readonly Manifest[];
  const listObjects = (kind: string): readonly Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
  beforeAll(() => {
    manifests = renderOverlay(overlay);
  });

  it('a network policy for all pods denies every connection that no other policy allows', () => {
    const everyPod = listObjects('NetworkPolicy').filter(
      ({ spec }) => Object.keys(spec.podSelector ?? {}).length === 0,
    );
    expect(everyPod.map(({ spec }) => spec)).toEqual([{ podSelector: {}, policyTypes: ['Ingress', 'Egress'] }]);
  });

  it('the network policies allow exactly the expected connections between services, servers and the Internet', () => {
    const found = listAllowedConnections(listObjects('NetworkPolicy'));
    expect(found.outgoing).toEqual([...OUTGOING, ...(ADDED[overlay] ?? [])].sort());
    expect(found.incoming).toEqual(INCOMING);
  });

  it.each(['gateway', 'query', 'crawler', 'catalog-sync'])(
    'the network policies let %s connect to public addresses and to no private address',
    (name) => {
      const policies = listObjects('NetworkPolicy');
      expect(canReachAddress(policies, name, PUBLIC, 443)).toBe(true);
      expect(PRIVATE.filter((address) => canReachAddress(policies, name, address, 443))).toEqual([]);
    },
  );

  it('the network policies let the ingestion worker connect to the S3 server of the overlay, and to no other external address', () => {
    const policies = listObjects('NetworkPolicy');
    const { outgoing } = listAllowedConnections(policies);
    expect(outgoing).toContain('ingestion-worker -> quarry-servers/s3');
    expect(canReachAddress(policies, 'ingestion-worker', '10.20.30.7', 443)).toBe(overlay === 'prod');
    const outside = [PUBLIC, ...PRIVATE].filter((address) =>
      canReachAddress(policies, 'ingestion-worker', address, 443),
    );
    expect(outside).toEqual([]);
  });

  it('the routes expose only the public paths, and have no request timeout', async () => {
    const [ingress, route] = [listObjects('Ingress')[0], listObjects('HTTPRoute')[0]];
    expect([ingress, route].filter((edge) => edge !== undefined)).toHaveLength(1);
    const rules = (ingress ?? route)?.spec.rules ?? [];
    const paths = rules.flatMap(({ http, matches = [] }) => [
      ...(http?.paths ?? []).map(({ path }) => path),
      ...matches.map(({ path }) => path.value),
    ]);
    expect(paths.toSorted()).toEqual(
      [...SERVICE_PATHS, ...(await listConsolePaths()), ...(await listOlderPaths())].toSorted(),
    );
    expect((ingress ?? route)?.metadata.annotations).toBeUndefined();
    if (ingress !== undefined) expect(ingress.spec.ingressClassName).toMatch(/^\w+$/);
    expect(rules.map(({ timeouts }) => timeouts?.request)).toEqual([route === undefined ? undefined : '0s']);
  });
});
