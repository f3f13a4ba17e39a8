import type { EmbeddingSettings } from '@quarry/contracts';
import type { Embedder } from '@quarry/embedder';
import { openEmbedders, openReranker } from '@quarry/embedder-factory';
import type { FragmentStore } from '@quarry/fragment-store';
import { createLog, createMetrics, traceCalls, type Log, type Metrics } from '@quarry/service-kit';
import type { QueryConfig } from './config.js';
import { openModels, type Models } from './models/open-models.js';
import type { Reranking } from './retrieval/rerank.js';
import type { AdmissionLimits } from './retrieval/search-admission.js';
import type { QuerySettings } from './settings.js';
import { openFragmentStore } from '@quarry/fragment-store-factory';

/** What the query service needs from outside. Whoever opened it closes it, after the service. */
export interface QueryContext extends QueryCapabilities {
  readonly fragmentStore: FragmentStore;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Shared by the services. */
  readonly internalToken: string;
  /** Admits to metrics and to the details of readiness; undefined: nothing does. */
  readonly metricsToken: string | undefined;
}

/** What its own settings give it. */
export interface QueryCapabilities {
  readonly models: Models;
  /** Undefined: no embedder is configured, and the fragments are searched by words alone. */
  readonly embedderFor: (settings: EmbeddingSettings) => Embedder | undefined;
  readonly admissionLimits: AdmissionLimits;
  /** The weight of dense search beside lexical search, in [0, 1]. */
  readonly denseWeight: number;
  /** Undefined: passages stand as they were found. */
  readonly reranking: Reranking | undefined;
  /** About how many tokens a prompt may have. */
  readonly promptTokens: number;
  /** How long an answer waits for its question to be rewritten; 0: none is. */
  readonly rewriteMs: number;
}

/** The part of a context that depends on settings alone: whoever composes the service has the rest already. */
export async function openCapabilities(settings: QuerySettings, log: Log): Promise<QueryCapabilities> {
  return {
    models: await openModels(settings.models, log),
    embedderFor: openEmbedders(settings.embedding),
    admissionLimits: settings.admissionLimits,
    denseWeight: settings.denseWeight,
    reranking: rerankingOf(settings),
    promptTokens: settings.promptTokens,
    rewriteMs: settings.rewriteMs,
  };
}

function rerankingOf({ reranking }: QuerySettings): Reranking | undefined {
  if (reranking === undefined) return undefined;
  const { source, ...limits } = reranking;
  return { reranker: openReranker(source), ...limits };
}

/** Opens everything for a query service of its own. */
export async function openContext(config: QueryConfig): Promise<QueryContext> {
  const log = createLog('query', config.logLevel);
  const [capabilities, fragmentStore] = await Promise.all([
    openCapabilities(config.settings, log),
    openFragmentStore(config.fragments, { log, isWriter: false }),
  ]);
  const metrics = createMetrics('query', { process: true });
  return {
    ...capabilities,
    fragmentStore: traceCalls('fragments', fragmentStore),
    log,
    metrics,
    internalToken: config.internalToken,
    metricsToken: config.metricsToken,
  };
}
