import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitUntilCheckPasses, createRecorder, silentLog, openTestQueue } from '@quarry/queue/testing';
import { openQueues } from './open-queues.js';
import { findFreePort } from './testing/free-port.js';
import { hasRedis, startTestRedis, type TestRedis } from './testing/start-test-redis.js';
import { openTestQueues } from './testing/open-test-queues.js';

const PASSWORD = 'the:password@of/the tests';
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const absent = [...(hasRedis() ? [] : ['redis-server']), ...(hasOpenssl ? [] : ['openssl'])];
const reason = absent.length === 0 ? '' : ` (skipped: there is no ${absent.join(' and no ')} on PATH)`;

describe.skipIf(absent.length > 0)(`a Redis server with TLS and a password${reason}`, () => {
  const trusted = getCACertificates('default');
  let folder: string;
  let certificate: string;
  let server: TestRedis;
  let port: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quarry-tls-'));
    const key = join(folder, 'key.pem');
    certificate = join(folder, 'certificate.pem');
    makeCertificate(certificate, key);
    port = await findFreePort();
    const tls = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate];
    server = await startTestRedis(0, [
      ...['--tls-port', String(port), '--tls-auth-clients', 'no', '--requirepass', PASSWORD],
      ...tls,
      '--dir',
      folder,
    ]);
    setDefaultCACertificates([...trusted, readFileSync(certificate, 'utf8')]);
  });
  afterAll(async () => {
    await server.stop();
    setDefaultCACertificates(trusted);
    rmSync(folder, { recursive: true });
  });

  const buildAddress = (password: string): string => `rediss://:${encodeURIComponent(password)}@127.0.0.1:${port}`;

  it('jobs run on a Redis server with TLS and a password', async () => {
    const queues = await openTestQueues(buildAddress(PASSWORD));
    const recorded = createRecorder();
    const queue = openTestQueue(queues);
    const consumer = queue.startConsumer(recorded);
    await queue.addNote('a');
    await waitUntilCheckPasses(() => {
      expect(recorded.runs.map(({ key }) => key)).toEqual(['a']);
    });
    await consumer.close(0);
    await queues.close(0);
  });

  it('openQueues fails with a wrong password, and the error does not contain the password', async () => {
    const refused = openQueues({ url: buildAddress('another'), log: silentLog, startTimeoutMs: 1_000 });
    await expect(refused).rejects.toThrow(/WRONGPASS/);
    await expect(refused).rejects.not.toThrow(/another/);
  });

  it('openQueues fails for a server with an untrusted certificate', async () => {
    setDefaultCACertificates(trusted);
    try {
      const refused = openQueues({ url: buildAddress(PASSWORD), log: silentLog, startTimeoutMs: 1_000 });
      await expect(refused).rejects.toThrow(/self.signed|certificate/);
    } finally {
      setDefaultCACertificates([...trusted, readFileSync(certificate, 'utf8')]);
    }
  });
});

function makeCertificate(certificate: string, key: string): void {
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  });
}
