import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import express, { type Express } from 'express';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConsoleFiles } from './console-files.js';
import { createConsoleRoutes } from './console-routes.js';

const PAGE = '<!doctype html><html lang="en"><head><base href="./" /><title>Quarry</title></head></html>';
const SCRIPT = 'console.log("quarry");';
const HTML = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let folder: string;
let app: Express;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-console-'));
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'appearance.js'), SCRIPT);
  await writeFile(join(folder, '.vite', 'manifest.json'), '{}');
  await writeFile(join(folder, 'assets', 'index-1.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'index-1.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, 'assets', 'index-1.js.gz'), gzipSync(SCRIPT));
  app = express().use(createConsoleRoutes(readConsoleFiles(folder)));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

describe('the page of the console', () => {
  it.each([
    ['/', './'],
    ['/datastores', './'],
    ['/datastores/', '../'],
    ['/datastores/d1', '../'],
    ['/datasources/d1/documents/a%2Fb', '../../../'],
    ['//evil.example', '../'],
    ['/?next=//evil.example', './'],
  ])(
    'the console page at %s has a `<base>` element with the relative address %s, which is correct below every path prefix',
    async (path, base) => {
      const { status, text, headers } = await supertest(app).get(path).set(HTML);
      expect(status).toBe(200);
      expect(text).toContain(`<base href="${base}" />`);
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' });
    },
  );

  it('the console page cannot be framed, run inline scripts or contact other origins', async () => {
    const { headers } = await supertest(app).get('/').set(HTML);
    const policy = String(headers['content-security-policy']);
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining(["default-src 'self'", "frame-ancestors 'none'", "base-uri 'self'", "object-src 'none'"]),
    );
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' });
  });

  it.each([
    '/api/nothing',
    '/api',
    '/v1',
    '/v1/nothing',
    '/internal/x',
    '/health/nothing',
    '/metrics',
    '/docs/x',
    '/assets/old-0.js',
  ])('the console page is not served at %s', async (path) => {
    expect((await supertest(app).get(path).set(HTML)).status).toBe(404);
  });

  it('the console page is not served to clients that do not request HTML, and not for the method POST', async () => {
    expect((await supertest(app).get('/').set('Accept', '*/*')).status).toBe(404);
    expect((await supertest(app).post('/').set(HTML)).status).toBe(404);
  });

  it('if the console is not built, a page with status 503 says so, and allows no inline scripts', async () => {
    const unbuilt = express().use(createConsoleRoutes(readConsoleFiles(join(folder, 'nothing'))));
    const { status, text, headers } = await supertest(unbuilt).get('/datastores').set(HTML);
    expect(status).toBe(503);
    expect(text).toContain('The console is not built');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
  });
});

describe('the files of the console', () => {
  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['identity', undefined],
  ])('the files of the console are compressed for a browser that accepts %s', async (accepted, encoding) => {
    const { headers } = await supertest(app).get('/assets/index-1.js').set('Accept-Encoding', accepted);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      vary: 'Accept-Encoding',
    });
  });

  it('the files of the console are served with their content', async () => {
    expect((await supertest(app).get('/assets/index-1.js')).text).toBe(SCRIPT);
  });

  it('a console file without a hash in its name has the header that makes browsers revalidate it', async () => {
    const { headers, text } = await supertest(app).get('/appearance.js');
    expect(headers['cache-control']).toBe('no-cache');
    expect(text).toBe(SCRIPT);
  });

  it('the response for a console file that a new build has removed is 404 and not cacheable', async () => {
    await writeFile(join(folder, 'assets', 'removed-1.js'), SCRIPT);
    const files = readConsoleFiles(folder);
    await rm(join(folder, 'assets', 'removed-1.js'));
    const { status, headers } = await supertest(express().use(createConsoleRoutes(files))).get('/assets/removed-1.js');
    expect([status, headers['cache-control']]).toEqual([404, undefined]);
  });

  it.each([
    '/.vite/manifest.json',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/index-1.js/',
  ])('the path %s is not served as a file of the console', async (path) => {
    expect((await supertest(app).get(path)).status).toBe(404);
  });
});
