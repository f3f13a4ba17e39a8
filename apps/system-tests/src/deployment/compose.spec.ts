import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPOSE, type ComposeService } from './compose-file.js';
import { listInstructionsOf, findLastArguments, parseDockerfile } from './dockerfile.js';
import { listReadVariables, READERS } from './environment-readers.js';

const names = Object.keys(READERS);
const findService = (name: string): ComposeService => COMPOSE.services[name] ?? { networks: [] };

let secrets: string;
beforeAll(() => {
  secrets = mkdtempSync(join(tmpdir(), 'quarry-secrets-'));
  const values: Readonly<Record<string, string>> = {
    'database-url': 'postgres://quarry@postgres/quarry',
    'queue-url': 'redis://redis:6379',
    's3-secret-access-key': 'secret',
    'internal-token': 'token',
    'metrics-token': 'token-of-metrics',
    'root-key': 'qk_root_key',
    'sealing-key': Buffer.alloc(32).toString('base64'),
  };
  for (const name of Object.keys(COMPOSE.secrets)) writeFileSync(join(secrets, name), values[name] ?? '');
});
afterAll(() => {
  rmSync(secrets, { recursive: true });
});

/**
 * Replaces `${NAME:-default}` in a text by the default, as Compose does for an unset variable. Also replaces
 * `/run/secrets` by the folder with the secrets of the test.
 */
function replaceByDefaults(text: string): string {
  return text.replace(/\$\{\w+:?-([^}]*)\}/g, '$1').replace('/run/secrets', secrets);
}

describe('the compose file', () => {
  it.each(names)(
    'the compose file gives %s all variables that the service needs, and no variable that the service does not read',
    (name) => {
      const environment = findService(name).environment ?? {};
      const read = READERS[name] ?? (() => undefined);
      const known = new Set([...listReadVariables(read), 'NODE_EXTRA_CA_CERTS']);
      expect(Object.keys(environment).filter((variable) => !known.has(variable))).toEqual([]);
      const values = Object.entries(environment).map(
        ([variable, value]) => [variable, replaceByDefaults(value)] as const,
      );
      expect(() => read({ NODE_ENV: 'production', ...Object.fromEntries(values) })).not.toThrow();
    },
  );

  it.each(names)('the compose file gives %s exactly the secrets that the service reads', (name) => {
    const { environment = {}, secrets: given = [] } = findService(name);
    const read = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.*)$/.exec(value)?.[1] ?? []);
    expect([...given].sort()).toEqual(read.sort());
    expect(
      Object.keys(environment).filter((variable) => /(TOKEN|API_KEY|ROOT_KEY|SEALING_KEY)$/.test(variable)),
    ).toEqual([]);
  });

  it.each(names)(
    'the compose file runs %s without privileges and on a read-only file system, and gives the service more than 25 seconds to shut down',
    (name) => {
      const { read_only: readOnly, cap_drop: dropped, stop_grace_period: grace = '0s' } = findService(name);
      expect({ readOnly, dropped }).toEqual({ readOnly: true, dropped: ['ALL'] });
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(25);
    },
  );

  it('the compose file runs an S3 server as an unprivileged user, and creates the bucket that the services use', () => {
    const { build, read_only: readOnly, cap_drop: dropped, environment = {}, secrets: given } = findService('s3');
    expect({ readOnly, dropped, given }).toEqual({ readOnly: true, dropped: ['ALL'], given: ['s3-secret-access-key'] });
    const [image] = parseDockerfile(build?.dockerfile_inline ?? '').stages;
    expect(findLastArguments(image, 'USER')).toBe('1000:1000');
    const [command = []] = listInstructionsOf(image, 'RUN').map(({ words }) => words);
    expect(command.slice(0, -2)).toEqual(['install', '-d', '-o', '1000', '-g', '1000']);
    for (const name of names.filter((name) => name !== 'query')) {
      const blobs = findService(name).environment ?? {};
      const bucket = replaceByDefaults(blobs['QUARRY_BLOB_URL'] ?? '').replace('s3://', '');
      expect(command.slice(-2)).toEqual(['/objects', `/objects/${bucket}`]);
      expect(blobs['QUARRY_S3_ACCESS_KEY_ID']).toBe(environment['ROOT_ACCESS_KEY_ID']);
      expect(replaceByDefaults(blobs['QUARRY_S3_ENDPOINT'] ?? '')).toBe('http://s3:7070');
      expect(findService(name).depends_on?.['s3']).toEqual({ condition: 'service_healthy' });
    }
  });

  it('the compose file starts each service after its dependencies are healthy', () => {
    for (const name of names) {
      const dependencies = Object.values(findService(name).depends_on ?? {});
      expect(dependencies.length).toBeGreaterThan(0);
      expect(dependencies.every(({ condition }) => condition === 'service_healthy')).toBe(true);
    }
    for (const server of ['postgres', 'redis', 'qdrant', 's3']) {
      expect(findService(server).healthcheck).toBeDefined();
      expect(findService(server).networks).toEqual(['data']);
    }
  });
});
