import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EMBEDDING, type EmbeddingProvider, startEmbeddingProvider } from './quarry/embedding-provider.js';
import { oneMachineStack } from './quarry/one-machine-stack.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import type { RunningStack } from './quarry/stack.js';

const FOLDER = fileURLToPath(new URL('../../../clients/python/', import.meta.url));
const PYTHON = `${FOLDER}.venv/${process.platform === 'win32' ? 'Scripts' : 'bin'}/python`;

const isInstalled = existsSync(`${FOLDER}.venv/.quarry-installed`);
const NOT_INSTALLED = isInstalled ? '' : ' (skipped: the Python client is not installed)';

describe.skipIf(!isInstalled)(`the installed Python client${NOT_INSTALLED}`, () => {
  let provider: EmbeddingProvider;
  let stack: RunningStack;

  beforeAll(async () => {
    // LangChain's tests expect results that share no word with the query. Only dense search finds such results, and
    // dense search needs an embedding provider.
    provider = await startEmbeddingProvider();
    const variables = {
      QUARRY_EMBEDDING_MODEL: EMBEDDING.model,
      QUARRY_EMBEDDING_DIMENSIONS: String(EMBEDDING.dimensions),
      QUARRY_EMBEDDING_BASE_URL: provider.baseUrl,
    };
    stack = await oneMachineStack.start(variables, [provider.baseUrl]);
  }, 120_000);
  afterAll(async () => {
    await stack.stop();
    provider.stop();
  });

  /**
   * Runs a file of the Python client's tests against the running Quarry.
   *
   * @returns the output of pytest, whose last line contains the number of tests by outcome
   */
  async function runTests(file: string): Promise<string> {
    const env = { PATH: process.env['PATH'], QUARRY_BASE_URL: stack.baseUrl, QUARRY_API_KEY: ROOT_KEY };
    return new Promise((resolve) => {
      execFile(
        PYTHON,
        ['-m', 'pytest', '--quiet', `tests/${file}`],
        { cwd: FOLDER, env },
        (_failure, stdout, stderr) => {
          resolve(stdout + stderr);
        },
      );
    });
  }

  it.each([
    ['test_client.py', 'lists, uploads, searches, asks, streams and reports errors'],
    ['test_answers.py', 'reports streams that fail or break'],
    ['test_transport.py', 'repeats refused requests with the same Idempotency-Key'],
    ['test_langchain.py', 'passes the standard tests of LangChain for retrievers and vector stores'],
  ])('the tests in %s pass: the Python client %s', async (file) => {
    expect(await runTests(file)).toMatch(/^\d+ passed in [\d.]+s$/m);
  });
});
