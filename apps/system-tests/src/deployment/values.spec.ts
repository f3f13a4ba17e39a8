import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listAllowedConnections } from './connections.js';
import type { Manifest } from './manifest.js';
import { SKIP_NOTE, canRender, renderOverlay } from './render.js';

const VALUES = fileURLToPath(new URL('../../../../k8s/values/', import.meta.url));

/**
 * Describes the fields that the tests read in the file of a server, such as Redis, in `k8s/values`. The file contains
 * the values of a Helm chart, or a resource that an operator reads.
 */
interface Values {
  readonly nameOverride?: string;
  readonly replicaCount?: number;
  readonly valkeyConfig?: string;
  readonly resources?: { readonly limits: { readonly memory: string } };
  readonly spec?: { readonly postgresql: { readonly parameters: Readonly<Record<string, string>> } };
}

const getValues = (server: string): Values => parse(readFileSync(`${VALUES}${server}.yaml`, 'utf8')) as Values; // checked below

/** Default pod names of Qdrant's Helm chart 1.16 and of the operator CloudNativePG 1.30, keyed by server. */
const DEFAULT_NAMES: Readonly<Record<string, string>> = { qdrant: 'qdrant', postgres: 'postgresql' };
const SERVERS = ['postgres', 'qdrant', 'redis', 's3'];

describe.runIf(canRender)(`the Helm values of the servers${SKIP_NOTE}`, () => {
  let manifests: readonly Manifest[];
  let config: Readonly<Record<string, string>>;
  beforeAll(() => {
    manifests = renderOverlay('prod');
    config =
      manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && /^quarry-\w+$/.test(metadata.name))?.data ?? {};
  });

  it('the pods of each server have the name that the network policies select', () => {
    const names = SERVERS.map((server) => getValues(server).nameOverride ?? DEFAULT_NAMES[server]);
    const { outgoing } = listAllowedConnections(manifests.filter(({ kind }) => kind === 'NetworkPolicy'));
    const reached = new Set(outgoing.flatMap((connection) => /quarry-servers\/(.*)$/.exec(connection)?.[1] ?? []));
    expect([...reached].sort()).toEqual([...names, 'embedder'].sort());
  });

  it('PostgreSQL allows twice the connections of all gateways, because a rolling update doubles the pods', () => {
    const gateways = manifests.find(
      ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === 'gateway',
    );
    // In addition to its pool, a gateway has one connection for live events and one for notifications of changes,
    // such as changes of API keys.
    const connections = Number(config['QUARRY_DATABASE_CONNECTIONS']) + 2;
    const needed = 2 * connections * (gateways?.spec.maxReplicas ?? NaN);
    const { parameters } = getValues('postgres').spec?.postgresql ?? { parameters: {} };
    expect(needed).toBeGreaterThan(0);
    expect(Number(parameters['max_connections'])).toBeGreaterThanOrEqual(needed);
  });

  it('Redis persists every job, and refuses writes when its memory is full', () => {
    const { valkeyConfig = '', resources } = getValues('redis');
    const settings = new Map(
      valkeyConfig.split('\n').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]),
    );
    expect(settings.get('appendonly')).toBe('yes');
    expect(settings.get('maxmemory-policy')).toBe('noeviction');
    // The memory limit exceeds `maxmemory`, because Redis needs additional memory to rewrite the append-only file.
    const [maxMemory, limit] = [settings.get('maxmemory') ?? '', resources?.limits.memory ?? ''];
    expect([maxMemory, limit]).toEqual([expect.stringMatching(/^\d+mb$/), expect.stringMatching(/^\d+Gi$/)]);
    expect(Number.parseInt(maxMemory, 10)).toBeLessThan(0.75 * 1024 * Number.parseInt(limit, 10));
  });

  it('Qdrant has more nodes than replicas of a shard, and the same number of shards on each node', () => {
    const { replicaCount = 0 } = getValues('qdrant');
    expect(replicaCount).toBeGreaterThan(Number(config['QDRANT_REPLICAS']));
    expect(Number(config['QDRANT_SHARDS']) % replicaCount).toBe(0);
  });

  it('the S3 service has the name that the overlay dev connects to', () => {
    const dev = renderOverlay('dev').find(
      ({ kind, data }) => kind === 'ConfigMap' && data?.['QUARRY_S3_ENDPOINT'] !== undefined,
    );
    expect(dev?.data?.['QUARRY_S3_ENDPOINT']).toBe(`http://${getValues('s3').nameOverride ?? ''}.quarry-servers:7070`);
  });
});
