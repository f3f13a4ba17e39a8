import { createLog, createMetrics } from '@quarry/service-kit';
import type { QueryContext } from '../context.js';
import type { ChatModel } from '../models/chat-model.js';
import type { ModelSource } from '../models/model-source.js';
import type { Models } from '../models/open-models.js';
import { EMBEDDER, createStore, type SampleDocument } from './knowledge.js';

export const TOKEN = 'the-internal-token';
export const METRICS_TOKEN = 'the-metrics-token';

export interface ContextParts extends Partial<QueryContext> {
  readonly documents?: readonly SampleDocument[];
  /** Model for all requests; absent to configure no provider. */
  readonly model?: ChatModel;
}

/** Creates a source of models that lists no providers. @param choose returns the model for a requested model name */
export function createModelSource(choose: Models['choose']): ModelSource {
  return {
    connect: async () => Promise.resolve({ choose }),
    list: () => ({ defaultModel: null, models: [], providers: [] }),
    test: async () => Promise.reject(new Error('expected no test of a model connection, found one')),
  };
}

/** Creates the context of a query service with an in-memory fragment store, which contains `documents`. */
export async function createQueryContext({ documents = [], model, ...more }: ContextParts = {}): Promise<QueryContext> {
  return {
    fragmentStore: await createStore(documents),
    getEmbedder: () => EMBEDDER,
    models: createModelSource(() => model),
    admissionLimits: { running: 16, waiting: 100, waitMs: 5_000 },
    denseWeight: 0.6,
    reranking: undefined,
    promptTokens: 12_000,
    rewriteMs: 0,
    listComponents: () => [{ kind: 'default_model', name: 'scripted' }],
    log: createLog('query', 'silent'),
    metrics: createMetrics('query', { process: false }),
    internalToken: TOKEN,
    metricsToken: METRICS_TOKEN,
    ...more,
  };
}
