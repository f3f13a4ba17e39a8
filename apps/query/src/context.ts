import type { EmbeddingSettings } from '@quarry/contracts';
import type { Embedder } from '@quarry/embedder';
import { createEmbedderOpener, openReranker } from '@quarry/embedder-factory';
import type { FragmentStore } from '@quarry/fragment-store';
import {
  createLog,
  createMetrics,
  traceCalls,
  type Log,
  type Metrics,
  type ServiceComponent,
} from '@quarry/service-kit';
import { listQueryComponents } from './query-components.js';
import type { QueryConfig } from './config.js';
import { openModelSource, type ModelSource } from './models/model-source.js';
import type { Reranking } from './retrieval/rerank.js';
import type { AdmissionLimits } from './retrieval/search-admission.js';
import type { QuerySettings } from './settings.js';
import { openFragmentStore } from '@quarry/fragment-store-factory';

/**
 * Holds the dependencies of the query service. The caller that starts the service owns the dependencies, and closes
 * them after the service.
 */
export interface QueryContext extends QueryCapabilities {
  readonly fragmentStore: FragmentStore;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Shared secret for requests between the services. */
  readonly internalToken: string;
  /** Token for requests to `/metrics` and for the details of the readiness check; undefined to disable both. */
  readonly metricsToken: string | undefined;
}

/** Holds the dependencies that are opened from the query settings alone. */
export interface QueryCapabilities {
  readonly models: ModelSource;
  /** Returns the embedder for the given settings. Undefined if none is configured; then searches compare only words. */
  readonly getEmbedder: (settings: EmbeddingSettings) => Embedder | undefined;
  readonly admissionLimits: AdmissionLimits;
  /** Weight of dense search, in [0, 1]. The weight of lexical search is 1 minus this weight. */
  readonly denseWeight: number;
  /** The reranker and its limits; undefined disables reranking. */
  readonly reranking: Reranking | undefined;
  /** Approximate maximum number of tokens of a prompt. */
  readonly promptTokens: number;
  /** Maximum time for rewriting a question, in milliseconds; 0 disables rewriting. */
  readonly rewriteMs: number;
  /** Lists the names of the configured models, embedders and rerankers. */
  readonly listComponents: () => readonly ServiceComponent[];
}

/**
 * Opens the models, the embedder and the reranker. A process that runs several services opens the other dependencies
 * itself.
 */
export async function openCapabilities(settings: QuerySettings, log: Log): Promise<QueryCapabilities> {
  return {
    models: await openModelSource(settings.models, log),
    getEmbedder: createEmbedderOpener(settings.embedding),
    admissionLimits: settings.admissionLimits,
    denseWeight: settings.denseWeight,
    reranking: openReranking(settings),
    promptTokens: settings.promptTokens,
    rewriteMs: settings.rewriteMs,
    listComponents: () => listQueryComponents(settings.models, settings),
  };
}

function openReranking({ reranking }: QuerySettings): Reranking | undefined {
  if (reranking === undefined) return undefined;
  const { source, ...limits } = reranking;
  return { reranker: openReranker(source), ...limits };
}

/** Opens all dependencies of a standalone query service. */
export async function openContext(config: QueryConfig): Promise<QueryContext> {
  const log = createLog('query', config.logLevel);
  const [capabilities, fragmentStore] = await Promise.all([
    openCapabilities(config.settings, log),
    openFragmentStore(config.fragments, { log, isWriter: false }),
  ]);
  const metrics = createMetrics('query', { process: true });
  return {
    ...capabilities,
    listComponents: () => [{ kind: 'vector_store', name: config.fragments.kind }, ...capabilities.listComponents()],
    fragmentStore: traceCalls('fragments', fragmentStore),
    log,
    metrics,
    internalToken: config.internalToken,
    metricsToken: config.metricsToken,
  };
}
