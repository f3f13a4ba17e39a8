import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Collection, FragmentStore } from '@quarry/fragment-store';
import { createSampleDocument, createSampleVersion, createScope } from '@quarry/fragment-store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openQdrantFragmentStore } from './index.js';
import { findQdrant, startQdrantServer, type QdrantServer } from './testing/index.js';

const API_KEY = 'the key of the tests';
const program = await findQdrant(process.env['PATH']);
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const absent = [...(program === undefined ? ['qdrant'] : []), ...(hasOpenssl ? [] : ['openssl'])];
const reason = absent.length === 0 ? '' : ` (skipped: missing on PATH: ${absent.join(', ')})`;

describe.skipIf(absent.length > 0)(`a Qdrant server with TLS and an API key${reason}`, () => {
  const collection: Collection = { embedding: { model: 'guarded', dimensions: 8, distance: 'cosine' } };
  const trusted = getCACertificates('default');
  let folder: string;
  let server: QdrantServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quarry-tls-'));
    const tls = makeCertificate(folder);
    setDefaultCACertificates([...trusted, readFileSync(tls.certificate, 'utf8')]);
    server = await startQdrantServer(program ?? '', { access: { apiKey: API_KEY, tls } });
  });
  afterAll(async () => {
    await server.stop();
    setDefaultCACertificates(trusted);
    rmSync(folder, { recursive: true });
  });

  const openStore = (apiKey: string): Promise<FragmentStore> =>
    openQdrantFragmentStore({ url: server.url, apiKey, timing: { retryMs: 0 } });

  it('a store that connects with TLS and an API key writes to the Qdrant server, and finds what it wrote', async () => {
    const store = await openStore(API_KEY);
    const document = createSampleDocument();
    await store.replaceDocument(collection, createSampleVersion(document, ['the lapwing']));
    const found = await store.searchLexical(collection, createScope(document), { text: 'lapwing' }, 5);
    expect(found.map(({ text }) => text)).toEqual(['the lapwing']);
    await store.close();
  });

  it('a request with a wrong API key fails, and the error message does not contain the key', async () => {
    const refused = openStore('another key').then((store) => store.ping());
    await expect(refused).rejects.toThrow('Unauthorized');
    await expect(refused).rejects.not.toThrow('another key');
  });

  it('a request to a server with an untrusted certificate fails', async () => {
    const certificates = getCACertificates('default');
    setDefaultCACertificates(trusted);
    try {
      const refused = openStore(API_KEY).then((store) => store.ping());
      await expect(refused).rejects.toThrow(/self.signed|certificate/);
    } finally {
      setDefaultCACertificates(certificates);
    }
  });
});

function makeCertificate(folder: string): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  });
  return { certificate, key };
}
