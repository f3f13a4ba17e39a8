import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type HttpServer, startHttpServer } from '@quarry/service-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildGatewayApp } from '../server.js';
import { startMcpFixture } from '../testing/mcp-fixture/start-mcp-fixture.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const TEST_MS = 120_000;
const MEBIBYTE = 1_048_576;
const ANY_PORT = { host: '127.0.0.1', port: 0 };
const SUITE = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json');
/**
 * Paths of the files that list the scenarios of the MCP conformance suite that are expected to fail, each with a
 * reason.
 */
const BASELINES = {
  withoutSessions: join(import.meta.dirname, 'mcp-conformance-without-sessions.yaml'),
  '2026-07-28': join(import.meta.dirname, 'mcp-conformance-gateway-2026-07-28.yaml'),
  '2025-11-25': join(import.meta.dirname, 'mcp-conformance-gateway-2025-11-25.yaml'),
};

/**
 * Runs the server scenarios of the MCP conformance suite that a revision of MCP requires. Accepts only the failures
 * that the file `baseline` lists.
 *
 * @returns the last part of the report, which begins with the numbers of passed and failed scenarios
 */
async function runConformanceScenarios(url: string, revision: string, baseline?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-mcp-'));
  const expected = baseline === undefined ? [] : ['--expected-failures', baseline];
  const script = join(dirname(SUITE), 'dist', 'index.js');
  const args = [script, 'server', '--url', url, '--requirements', revision, '-o', folder, ...expected];
  const { failure, report } = await executeNode(args, folder);
  await rm(folder, { recursive: true });
  const counters = report.slice(report.indexOf('Total: '));
  expect(failure, counters).toBeNull();
  return counters;
}

async function executeNode(
  args: readonly string[],
  cwd: string,
): Promise<{ readonly failure: Error | null; readonly report: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd, maxBuffer: 16 * MEBIBYTE }, (failure, report) => {
      resolve({ failure, report });
    });
  });
}

describe('the MCP endpoint on the fixture server', () => {
  let fixture: HttpServer;
  beforeAll(async () => {
    fixture = await startMcpFixture();
  });
  afterAll(async () => fixture.close(100));

  it.each([
    ['2026-07-28', '/mcp', undefined],
    ['2025-11-25', '/with-sessions', undefined],
    ['2025-11-25', '/mcp', BASELINES.withoutSessions],
  ] as const)(
    'the fixture server passes the conformance scenarios of the MCP revision %s at the path %s',
    { timeout: TEST_MS },
    async (revision, path, baseline) => {
      expect(await runConformanceScenarios(`${fixture.url}${path}`, revision, baseline)).toMatch(
        /^Total: \d{2,} passed/,
      );
    },
  );
});

describe('the MCP endpoint of the gateway', () => {
  const used = setUpTenant();

  it.each(['2026-07-28', '2025-11-25'] as const)(
    'the gateway passes the conformance scenarios of the MCP revision %s that concern the features of the gateway',
    { timeout: TEST_MS },
    async (revision) => {
      const app = buildGatewayApp(used.test.context, used.test.gateway);
      const server = await startHttpServer((request, response) => {
        // The suite sends no credentials.
        request.headers.authorization = `Bearer ${used.tenant.key}`;
        app(request, response);
      }, ANY_PORT);
      expect(await runConformanceScenarios(`${server.url}/mcp`, revision, BASELINES[revision])).toMatch(
        /^Total: \d+ passed/,
      );
      await server.close(100);
    },
  );
});

it.each(Object.values(BASELINES))('the file %s states a reason for each expected failure', async (path) => {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.startsWith('  - '));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/^ {2}- [\w:-]+ # \w.+\.$/);
});
