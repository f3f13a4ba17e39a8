import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { arrows } from './arrows.js';
import type { Manifest } from './manifest.js';
import { RENDERER, canRender, render } from './render.js';

const VALUES = fileURLToPath(new URL('../../../../k8s/values/', import.meta.url));

/** What the tests read of the values of a server's chart, or of its operator's resource. */
interface Values {
  readonly nameOverride?: string;
  readonly replicaCount?: number;
  readonly valkeyConfig?: string;
  readonly resources?: { readonly limits: { readonly memory: string } };
  readonly spec?: { readonly postgresql: { readonly parameters: Readonly<Record<string, string>> } };
}

const valuesOf = (server: string): Values => parse(readFileSync(`${VALUES}${server}.yaml`, 'utf8')) as Values; // checked below

/** What the servers' pods are labelled as, where nothing overrides it: by Qdrant's chart 1.16, and by CloudNativePG 1.30. */
const USUAL_NAMES: Readonly<Record<string, string>> = { qdrant: 'qdrant', postgres: 'postgresql' };
const SERVERS = ['postgres', 'qdrant', 'redis', 's3'];

describe.runIf(canRender)(`the values of the servers in a cluster${RENDERER}`, () => {
  let manifests: readonly Manifest[];
  let config: Readonly<Record<string, string>>;
  beforeAll(() => {
    manifests = render('prod');
    config =
      manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && /^quarry-\w+$/.test(metadata.name))?.data ?? {};
  });

  it('give the pods the names by which the policies let the services reach them', () => {
    const names = SERVERS.map((server) => valuesOf(server).nameOverride ?? USUAL_NAMES[server]);
    const { out } = arrows(manifests.filter(({ kind }) => kind === 'NetworkPolicy'));
    const reached = new Set(out.flatMap((arrow) => /quarry-servers\/(.*)$/.exec(arrow)?.[1] ?? []));
    expect([...reached].sort()).toEqual([...names, 'embedder'].sort());
  });

  it('let PostgreSQL take the connections of all gateways there may be, and as many while they are replaced', () => {
    const gateways = manifests.find(
      ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === 'gateway',
    );
    const needed = 2 * Number(config['QUARRY_DATABASE_CONNECTIONS']) * (gateways?.spec.maxReplicas ?? NaN);
    const { parameters } = valuesOf('postgres').spec?.postgresql ?? { parameters: {} };
    expect(needed).toBeGreaterThan(0);
    expect(Number(parameters['max_connections'])).toBeGreaterThanOrEqual(needed);
  });

  it('have Redis write every job down, and refuse what does not fit instead of throwing jobs away', () => {
    const { valkeyConfig = '', resources } = valuesOf('redis');
    const settings = new Map(
      valkeyConfig.split('\n').map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]),
    );
    expect(settings.get('appendonly')).toBe('yes');
    expect(settings.get('maxmemory-policy')).toBe('noeviction');
    // Rewriting its log takes memory beside the jobs.
    const [most, limit] = [settings.get('maxmemory') ?? '', resources?.limits.memory ?? ''];
    expect([most, limit]).toEqual([expect.stringMatching(/^\d+mb$/), expect.stringMatching(/^\d+Gi$/)]);
    expect(Number.parseInt(most, 10)).toBeLessThan(0.75 * 1024 * Number.parseInt(limit, 10));
  });

  it('have nodes of Qdrant for every copy, and as many shards on each', () => {
    const { replicaCount = 0 } = valuesOf('qdrant');
    expect(replicaCount).toBeGreaterThan(Number(config['QDRANT_REPLICAS']));
    expect(Number(config['QDRANT_SHARDS']) % replicaCount).toBe(0);
  });

  it('have S3 where those look for it that have none of their own', () => {
    const dev = render('dev').find(
      ({ kind, data }) => kind === 'ConfigMap' && data?.['QUARRY_S3_ENDPOINT'] !== undefined,
    );
    expect(dev?.data?.['QUARRY_S3_ENDPOINT']).toBe(`http://${valuesOf('s3').nameOverride ?? ''}.quarry-servers:7070`);
  });
});
