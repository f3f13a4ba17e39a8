import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { askedBy, READERS } from './environment-readers.js';

const DOCKER = fileURLToPath(new URL('../../../../docker/', import.meta.url));

/** What the tests read of the compose file. */
interface Compose {
  readonly services: Readonly<Record<string, ComposeService | undefined>>;
  readonly secrets: Readonly<Record<string, object>>;
}

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly build?: { readonly dockerfile_inline?: string };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly networks: readonly string[];
}

const compose = parse(readFileSync(`${DOCKER}compose.yaml`, 'utf8'), { merge: true }) as Compose; // checked below
const names = Object.keys(READERS);
const service = (name: string): ComposeService => compose.services[name] ?? { networks: [] };

let secrets: string;
beforeAll(() => {
  secrets = mkdtempSync(join(tmpdir(), 'quarry-secrets-'));
  const values: Readonly<Record<string, string>> = {
    'database-url': 'postgres://quarry@postgres/quarry',
    'queue-url': 'redis://redis:6379',
    's3-secret-access-key': 'secret',
    'internal-token': 'token',
    'metrics-token': 'token-of-metrics',
    'root-key': 'qk_root',
    'sealing-key': Buffer.alloc(32).toString('base64'),
  };
  for (const name of Object.keys(compose.secrets)) writeFileSync(join(secrets, name), values[name] ?? '');
});
afterAll(() => {
  rmSync(secrets, { recursive: true });
});

/** As Compose replaces `${NAME:-default}` where nothing is set. */
function withDefaults(text: string): string {
  return text.replace(/\$\{\w+:?-([^}]*)\}/g, '$1').replace('/run/secrets', secrets);
}

describe('the compose file', () => {
  it.each(names)('gives %s all variables it needs, and none it does not know', (name) => {
    const environment = service(name).environment ?? {};
    const read = READERS[name] ?? (() => undefined);
    const asked = new Set([...askedBy(read), 'NODE_EXTRA_CA_CERTS']);
    expect(Object.keys(environment).filter((variable) => !asked.has(variable))).toEqual([]);
    const values = Object.entries(environment).map(([variable, value]) => [variable, withDefaults(value)] as const);
    expect(() => read({ NODE_ENV: 'production', ...Object.fromEntries(values) })).not.toThrow();
  });

  it.each(names)('gives %s the secrets that it reads, and no other', (name) => {
    const { environment = {}, secrets: given = [] } = service(name);
    const read = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.*)$/.exec(value)?.[1] ?? []);
    expect([...given].sort()).toEqual(read.sort());
    expect(
      Object.keys(environment).filter((variable) => /(TOKEN|API_KEY|ROOT_KEY|SEALING_KEY)$/.test(variable)),
    ).toEqual([]);
  });

  it.each(names)('runs %s on a file system it cannot write, without privileges, and lets it end', (name) => {
    const { read_only: readOnly, cap_drop: dropped, stop_grace_period: grace = '0s' } = service(name);
    expect({ readOnly, dropped }).toEqual({ readOnly: true, dropped: ['ALL'] });
    expect(Number.parseInt(grace, 10)).toBeGreaterThan(25);
  });

  it('keeps blobs in S3, on a server that runs as an ordinary user, and whose bucket is there when it starts', () => {
    const { build, read_only: readOnly, cap_drop: dropped, environment = {}, secrets: given } = service('s3');
    expect({ readOnly, dropped, given }).toEqual({ readOnly: true, dropped: ['ALL'], given: ['s3-secret-access-key'] });
    expect(build?.dockerfile_inline).toMatch(/^USER 1000:1000$/m);
    for (const name of names.filter((name) => name !== 'query')) {
      const blobs = service(name).environment ?? {};
      const bucket = withDefaults(blobs['QUARRY_BLOB_URL'] ?? '').replace('s3://', '');
      expect(build?.dockerfile_inline).toContain(`-o 1000 -g 1000 /objects /objects/${bucket}\n`);
      expect(blobs['QUARRY_S3_ACCESS_KEY_ID']).toBe(environment['ROOT_ACCESS_KEY_ID']);
      expect(withDefaults(blobs['QUARRY_S3_ENDPOINT'] ?? '')).toBe('http://s3:7070');
      expect(service(name).depends_on?.['s3']).toEqual({ condition: 'service_healthy' });
    }
  });

  it('starts each service when what it needs is healthy', () => {
    for (const name of names) {
      const needed = Object.values(service(name).depends_on ?? {});
      expect(needed.length).toBeGreaterThan(0);
      expect(needed.every(({ condition }) => condition === 'service_healthy')).toBe(true);
    }
    for (const server of ['postgres', 'redis', 'qdrant', 's3']) {
      expect(service(server).healthcheck).toBeDefined();
      expect(service(server).networks).toEqual(['data']);
    }
  });
});

describe('the Dockerfile', () => {
  const text = readFileSync(`${DOCKER}Dockerfile`, 'utf8');
  const last = text.slice(text.lastIndexOf('\nFROM '));

  it('needs no front end from a registry, and ends in a user without rights', () => {
    expect(text).not.toMatch(/^#\s*syntax=/m);
    expect(last).toMatch(/^USER 1000:1000$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
    expect(last).toContain('org.opencontainers.image.title');
    expect(last).toMatch(/rm -rf \/usr\/local\/lib\/node_modules /);
  });
});
