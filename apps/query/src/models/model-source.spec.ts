import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectedProvider } from '@quarry/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeProvider, type FakeProvider } from '../testing/fake-provider.js';
import { createChatCall, readModel } from '../testing/read-model.js';
import { createRecordingLog } from '../testing/recording-log.js';
import { DEFAULT_BASE_URLS, DEFAULT_LIMITS, type ModelSettings } from './model-settings.js';
import { openModelSource, type ModelSource } from './model-source.js';

const KEY = 'sk-of-the-operator-1234';
const NEVER = new AbortController().signal;

let provider: FakeProvider;
beforeEach(async () => {
  provider = await startFakeProvider();
});
afterEach(async () => provider.close());

const { log, lines } = createRecordingLog();

async function openSource(environment: Partial<ModelSettings> = {}): Promise<ModelSource> {
  const settings: ModelSettings = {
    baseUrls: { ...DEFAULT_BASE_URLS, openai: `${provider.url}/v1`, anthropic: provider.url },
    ...{ providers: {}, overrides: {}, customModel: undefined, defaultModel: undefined },
    limits: DEFAULT_LIMITS,
    ...environment,
  };
  return openModelSource(settings, log);
}

const connectOpenAi = (apiKey: string): ConnectedProvider => ({ provider: 'openai', apiKey });
const OPENAI = connectOpenAi(KEY);
const buildCustom = (baseUrl: string): ConnectedProvider => ({ provider: 'custom', baseUrl, model: 'llama3.2' });

describe('openModelSource', () => {
  it('a question is answered by the model of a stored connection, and the provider receives the API key of this connection', async () => {
    provider.respondWith({ words: ['Two years.'], finishReason: 'stop' });
    const source = await openSource({ baseUrls: { ...DEFAULT_BASE_URLS, openai: `${provider.responds}/v1` } });
    const model = (await source.connect([OPENAI])).choose('gpt_4o');
    if (model === undefined) throw new Error('expected a model, found none');
    expect((await readModel(model, createChatCall('warranty?'))).texts).toEqual(['Two years.']);
    expect(provider.requests[0]).toMatchObject({
      headers: { authorization: `Bearer ${KEY}` },
      body: { model: 'gpt-4o' },
    });
  });

  it('for a request without provider connections, the model source does not offer the models of an earlier request', async () => {
    const source = await openSource();
    expect((await source.connect([OPENAI])).choose(undefined)?.name).toBe('openai/gpt-4o-mini');
    expect((await source.connect([])).choose(undefined)).toBeUndefined();
  });

  it('the model source reuses the clients of equal connections, and keeps the clients of at most two sets of connections', async () => {
    const source = await openSource();
    const first = await source.connect([OPENAI]);
    expect(await source.connect([connectOpenAi(KEY)])).toBe(first);
    await source.connect([connectOpenAi('second')]);
    await source.connect([connectOpenAi('third')]);
    expect(await source.connect([OPENAI])).not.toBe(first);
  });

  it('the model source prefers the environment variables of a provider to a stored connection of the same provider', async () => {
    const environment = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'of the environment' };
    const source = await openSource({ providers: { openai: environment } });
    expect(source.list([OPENAI, buildCustom('http://127.0.0.1:8/v1')])).toEqual({
      defaultModel: 'custom/llama3.2',
      models: expect.arrayContaining(['gpt_4o']) as string[],
      providers: [
        { provider: 'openai', source: 'environment', baseUrl: environment.baseUrl, model: null },
        { provider: 'custom', source: 'api', baseUrl: 'http://127.0.0.1:8/v1', model: 'llama3.2' },
      ],
    });
  });
});

describe('the test of a connection', () => {
  it('a connection test of OpenAI, of Anthropic and of a custom provider succeeds if the model answers', async () => {
    provider.mock.onMessage(/OK/, { content: 'OK' });
    const source = await openSource();
    const outcome = { failure: null, status: null, networkError: null };
    expect(await source.test(OPENAI, NEVER)).toMatchObject({ model: 'openai/gpt-4o-mini', ...outcome });
    expect(await source.test({ provider: 'anthropic', apiKey: KEY }, NEVER)).toMatchObject(outcome);
    expect(await source.test(buildCustom(`${provider.url}/v1`), NEVER)).toMatchObject({
      ...outcome,
      model: 'custom/llama3.2',
    });
  });

  it.each(['length', 'max_tokens'])(
    'a connection test succeeds if a reasoning model ends with the finish reason %s before its first word',
    async (finishReason) => {
      provider.respondWith({ finishReason });
      const outcome = await (await openSource()).test(buildCustom(`${provider.responds}/v1`), NEVER);
      expect(outcome).toMatchObject({ failure: null, status: null, networkError: null });
    },
  );

  it.each(['stop', 'error'])(
    'a connection test fails if the model ends without text and with the finish reason %s',
    async (finishReason) => {
      provider.respondWith({ finishReason });
      const outcome = await (await openSource()).test(buildCustom(`${provider.responds}/v1`), NEVER);
      expect(outcome).toMatchObject({ failure: 'model_invalid_response' });
    },
  );

  it('if a provider refuses the only call of a connection test, the test returns the HTTP status without the provider’s message', async () => {
    provider.mock.nextRequestError(401, { message: `Incorrect API key provided: ${KEY}` });
    const outcome = await (await openSource()).test(OPENAI, NEVER);
    expect(outcome).toMatchObject({ failure: 'model_refused', status: 401, networkError: null });
    expect(provider.mock.getRequests()).toHaveLength(1);
    expect(JSON.stringify([outcome, lines])).not.toContain(KEY);
  });

  it('a connection test returns the code of a network error', async () => {
    const { port } = await findClosedPort();
    expect(await (await openSource()).test(buildCustom(`http://127.0.0.1:${port}/v1`), NEVER)).toMatchObject({
      ...{ failure: 'model_unavailable', status: null, networkError: 'ECONNREFUSED' },
    });
  });

  it('a connection test follows no redirects', async () => {
    provider.mock.onMessage(/OK/, { content: 'OK' });
    const server = createServer((request, response) => {
      response.writeHead(307, { location: `${provider.url}${request.url ?? ''}` }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // listens on a port
    const outcome = await (await openSource()).test(buildCustom(`http://127.0.0.1:${port}/v1`), NEVER);
    server.close();
    expect(outcome).toMatchObject({ failure: 'model_refused', status: 307 });
    expect(provider.mock.getRequests()).toEqual([]);
  });

  it('a connection test ends when its caller aborts', async () => {
    const aborting = new AbortController();
    const testing = (await openSource()).test(buildCustom(`${provider.silent}/v1`), aborting.signal);
    aborting.abort(new Error('the caller disconnected'));
    await expect(testing).rejects.toThrow('the caller disconnected');
  });

  it('a connection test sends no request if a custom connection has no address', async () => {
    expect(await (await openSource()).test({ provider: 'custom' }, NEVER)).toMatchObject({
      failure: 'model_not_configured',
    });
  });
});

async function findClosedPort(): Promise<AddressInfo> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo; // listens on a port
  server.close();
  await once(server, 'close');
  return address;
}
