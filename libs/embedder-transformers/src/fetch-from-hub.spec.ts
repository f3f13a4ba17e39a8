import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from '@huggingface/transformers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isHubUnavailable } from './fetch-from-hub.js';
import { locateModel } from './locate-model.js';
import { loadModel, type RunModel } from './run-model.js';
import { TINY_DIMENSIONS, writeTinyEmbeddingModel } from './testing/index.js';

/** Starts a hub, to which transformers.js sends its requests until the end of the test. */
async function startHub(answer: RequestListener): Promise<void> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { remoteHost, cacheDir } = env;
  const remoteHostOfTest = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`; // it listens on a port
  Object.assign(env, { remoteHost: remoteHostOfTest, cacheDir: await createFolder() });
  onTestFinished(() => {
    Object.assign(env, { remoteHost, cacheDir });
    server.close();
  });
}

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quarry-models-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Finds and loads a model of the hub, as a model process does. */
async function loadFromHub(folder: string): Promise<RunModel> {
  const location = locateModel({ folder, download: true }, 'owner/tiny');
  if (location === undefined) throw new Error('expected the location of the model, found none');
  return loadModel({ ...location, output: 'vectors', pooling: 'mean' });
}

/** Loads a model from a hub that answers all requests with `answer`. Returns the error. */
async function catchLoadError(answer: RequestListener): Promise<unknown> {
  await startHub(answer);
  return loadFromHub(await createFolder()).catch((error: unknown) => error);
}

describe('the download of a model', () => {
  it.each([
    [408, true],
    [429, true],
    [500, true],
    [503, true],
    [400, false],
    [401, false],
    [404, false],
  ])(
    'if the hub responds with status %i, isHubUnavailable returns %s for the error of loading a model',
    async (status, expected) => {
      const error = await catchLoadError((_, response) => response.writeHead(status).end());
      expect(error).toBeInstanceOf(Error);
      expect(isHubUnavailable(error)).toBe(expected);
    },
  );

  it('isHubUnavailable returns true if the connection to the hub breaks before or during a response', async () => {
    expect(isHubUnavailable(await catchLoadError((_, response) => response.destroy()))).toBe(true);
    const error = await catchLoadError((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{', () => response.destroy());
    });
    expect(isHubUnavailable(error)).toBe(true);
  });

  it.each([
    ['the hub responds with status 503', (response: ServerResponse) => response.writeHead(503).end()],
    [
      'the connection breaks',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '100000' });
        response.write('a beginning', () => response.destroy());
      },
    ],
  ])('if %s during the download of the weights, the next attempt completes the download', async (_, fail) => {
    const [hub, folder] = [await createFolder(), await createFolder()];
    await writeTinyEmbeddingModel(hub);
    let isFailing = true;
    await startHub((request, response) => {
      const file = join(hub, request.url?.replace('/owner/tiny/resolve/main/', '') ?? '');
      if (isFailing && file.endsWith('.onnx')) fail(response);
      else if (existsSync(file)) response.end(readFileSync(file));
      else response.writeHead(404).end();
    });
    await expect(loadFromHub(folder)).rejects.toSatisfy(isHubUnavailable);
    expect(existsSync(join(folder, 'owner', 'tiny', 'config.json'))).toBe(true);
    isFailing = false;
    const run = await loadFromHub(folder);
    await expect(run({ id: 1, texts: ['x'] })).resolves.toMatchObject({ rows: [{ length: TINY_DIMENSIONS }] });
  });

  it('isHubUnavailable returns false for the error of loading a model that is not supported', async () => {
    const error = await catchLoadError((_, response) => response.end('{}'));
    expect(error).toBeInstanceOf(Error);
    expect(isHubUnavailable(error)).toBe(false);
  });
});
