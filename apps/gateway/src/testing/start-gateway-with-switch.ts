import { createInMemoryQueues } from '@quarry/queue/testing';
import { expect, onTestFinished } from 'vitest';
import { startTestGateway, TEST_SETTINGS, type TestGateway } from './start-test-gateway.js';
import { createWatchedBlobStore } from './watched-blob-store.js';

const EMBEDDING = { model: 'vectors', dimensions: 2, distance: 'cosine' } as const;

const createConnectionError = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });

/** Wraps an object so that each of its methods rejects while `isOff` is true. */
function wrapWithSwitch<T extends object>(target: T): { readonly target: T; isOff: boolean } {
  const state = {
    isOff: false,
    target: new Proxy(target, {
      get: (_target, property) => {
        const value: unknown = Reflect.get(target, property, target);
        if (typeof value !== 'function' || !state.isOff) return value;
        return () => Promise.reject(createConnectionError());
      },
    }),
  };
  return state;
}

/**
 * Starts a gateway with a dependency that can be switched off. @param name the dependency: `queue`, `blobs`, `query`
 * (the query service), or `nothing`
 */
export async function startGatewayWithSwitch(
  name: string,
): Promise<{ readonly test: TestGateway; readonly switchOff: () => void }> {
  const blobs = wrapWithSwitch(createWatchedBlobStore());
  const queues = wrapWithSwitch(createInMemoryQueues());
  const requestCounts = wrapWithSwitch({
    add: () => Promise.resolve({ requests: 1, msLeft: 60_000 }),
    close: () => Promise.resolve(),
  });
  const test = await startTestGateway({
    blobs: blobs.target,
    queues: queues.target,
    requestCounts: requestCounts.target,
    settings: { ...TEST_SETTINGS, embedding: EMBEDDING, requestsPerMinute: 1_000 },
  });
  onTestFinished(() => test.close());
  const switches: Readonly<Record<string, () => void>> = {
    nothing: () => undefined,
    blobs: () => (blobs.isOff = true),
    queue: () => (queues.isOff = requestCounts.isOff = true),
    query: () => {
      const detail = 'The search of the datastores is unavailable.';
      test.query.refusal = { status: 503, body: { code: 'dependency_unavailable', detail } };
    },
  };
  return { test, switchOff: switches[name] ?? (() => expect.fail(`${name} cannot be switched off`)) };
}
