import {
  readEmbeddingSources,
  EmbeddingVariables,
  findRerankingProblems,
  readRerankingSource,
  RerankingVariables,
  type EmbeddingSources,
  type RerankingSource,
} from '@quarry/embedder-factory';
import { ConfigurationError, parseEnvironment, readConfigParts } from '@quarry/service-kit';
import { IntegerFromText, NumberFromText } from '@quarry/validation';
import { readModelSettings } from './models/model-environment.js';
import type { ModelSettings } from './models/model-settings.js';
import type { AdmissionLimits } from './retrieval/search-admission.js';

/** Holds the settings that the query service has both as a separate process and as a part of a standalone Quarry. */
export interface QuerySettings {
  readonly models: ModelSettings;
  /** Sources of the question vectors; undefined to search all datastores by words only. */
  readonly embedding: EmbeddingSources | undefined;
  readonly admissionLimits: AdmissionLimits;
  readonly denseWeight: number;
  /** Settings of the reranker; undefined disables reranking. */
  readonly reranking: RerankingSettings | undefined;
  readonly promptTokens: number;
  readonly rewriteMs: number;
}

export interface RerankingSettings {
  readonly source: RerankingSource;
  /** Maximum number of found fragments that are sent to the reranker: those with the highest search scores. */
  readonly candidates: number;
  readonly timeoutMs: number;
}

/** Declares the environment variables of the query service, except those of the model providers. */
class Environment extends EmbeddingVariables {
  /** Maximum number of running searches per replica. */
  @IntegerFromText({ min: 1, max: 10_000 })
  readonly QUARRY_SEARCHES_AT_ONCE: number = 16;

  /**
   * Maximum number of searches that wait per replica until fewer searches run. Searches beyond this number are refused.
   */
  @IntegerFromText({ min: 0, max: 100_000 })
  readonly QUARRY_SEARCHES_WAITING: number = 500;

  /** Maximum time for which a search waits until fewer searches run, in milliseconds. Then it is refused. */
  @IntegerFromText({ min: 1, max: 15_000 })
  readonly QUARRY_SEARCH_WAIT_MS: number = 5_000;

  /** Weight of dense search. With 0, searches compare only words; with 1, they compare only embeddings. */
  @NumberFromText({ min: 0, max: 1 })
  readonly QUARRY_DENSE_WEIGHT: number = 0.6;

  /** Approximate maximum number of tokens of a prompt: instructions, found fragments, history and question together. */
  @IntegerFromText({ min: 1_000, max: 1_000_000 })
  readonly QUARRY_PROMPT_TOKENS: number = 12_000;

  /** Maximum time for rewriting a question that depends on the conversation, in milliseconds; 0 disables rewriting. */
  @IntegerFromText({ min: 0, max: 60_000 })
  readonly QUARRY_REWRITE_TIMEOUT_MS: number = 2_000;
}

/** Reads the settings from the environment. @throws ConfigurationError with all problems at once */
export function readQuerySettings(environment: NodeJS.ProcessEnv): QuerySettings {
  const { own, ...parts } = readConfigParts(environment, {
    own: (variables) => parseEnvironment(Environment, variables),
    models: readModelSettings,
    reranking: readReranking,
  });
  return {
    ...parts,
    embedding: readEmbeddingSources(own),
    admissionLimits: {
      running: own.QUARRY_SEARCHES_AT_ONCE,
      waiting: own.QUARRY_SEARCHES_WAITING,
      waitMs: own.QUARRY_SEARCH_WAIT_MS,
    },
    denseWeight: own.QUARRY_DENSE_WEIGHT,
    promptTokens: own.QUARRY_PROMPT_TOKENS,
    rewriteMs: own.QUARRY_REWRITE_TIMEOUT_MS,
  };
}

function readReranking(environment: NodeJS.ProcessEnv): RerankingSettings | undefined {
  const variables = parseEnvironment(RerankingVariables, environment);
  const problems = findRerankingProblems(variables);
  if (problems.length > 0) throw new ConfigurationError(problems);
  const source = readRerankingSource(variables);
  if (source === undefined) return undefined;
  return { source, candidates: variables.QUARRY_RERANK_CANDIDATES, timeoutMs: variables.QUARRY_RERANK_TIMEOUT_MS };
}
