import type { SearchRequest, SearchResponse } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import type { ModelSource } from '../models/model-source.js';
import { problem } from '../query-problems.js';
import {
  KnowledgeUnavailable,
  type Retrieval,
  type RetrievalParts,
  type Retrieved,
  retrieveFragments,
  toFoundFragment,
} from './retrieve.js';
import { SearchRecorder } from './search-recorder.js';
import { SearchOverloaded } from './search-admission.js';
import { type QueryList, rewriteQueries } from './rewrite-queries.js';
import { createSearchQuestion, createRewrittenQuestion } from './search-texts.js';

const OVERLOADED = 'Too many searches are running and queued. Try again later.';

/** Maximum time for rewriting the queries of a search, in milliseconds. The gateway waits 30 s for a search. */
const MAX_REWRITE_MS = 10_000;

export interface SearchParts extends Omit<RetrievalParts, 'log'> {
  readonly models: Pick<ModelSource, 'connect'>;
  /** Maximum time for rewriting the queries of a search with a model, in milliseconds; 0 disables rewriting. */
  readonly rewriteMs: number;
}

interface SearchCall {
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Returns the results of a search request.
 *
 * @throws Problem `dependency_unavailable` if the fragment store fails, `overloaded` if too many searches are queued
 * @throws the signal's reason when it aborts
 */
export async function findFragments(
  parts: SearchParts,
  request: SearchRequest,
  { log, signal }: SearchCall,
): Promise<SearchResponse> {
  const { query, furtherQueries = [], topK } = request;
  const queries: QueryList = [query, ...furtherQueries];
  const rewritten =
    request.rewrite === true ? await rewriteSearchQueries(parts, request, queries, { log, signal }) : undefined;
  const recorder = request.explain === true ? new SearchRecorder(query) : undefined;
  const question =
    rewritten === undefined ? createSearchQuestion(...queries) : createRewrittenQuestion(rewritten, queries);
  const retrieval = { question, scope: request, topK, ...(recorder && { recorder }) };
  const { fragments, notes } = await retrieveOrThrow({ ...parts, log }, retrieval, signal);
  const explanation = recorder && { explanation: recorder.build(fragments, toFoundFragment) };
  return { fragments: fragments.map(toFoundFragment), notes, ...(rewritten && { rewritten }), ...explanation };
}

/** Rewrites queries with the default model. @returns undefined if no model is configured or the rewriting fails */
async function rewriteSearchQueries(
  { models, rewriteMs }: SearchParts,
  { modelConnections = [] }: SearchRequest,
  queries: QueryList,
  { log, signal }: SearchCall,
): Promise<QueryList | undefined> {
  const model = (await models.connect(modelConnections)).choose(undefined);
  if (model === undefined) return undefined;
  return rewriteQueries({ model, timeoutMs: Math.min(rewriteMs, MAX_REWRITE_MS), log }, queries, signal);
}

/**
 * Calls `retrieveFragments`, and converts its errors to problems.
 *
 * @throws Problem `dependency_unavailable` if the fragment store fails, `overloaded` if too many searches are queued
 * @throws the signal's reason when it aborts
 */
export async function retrieveOrThrow(
  parts: RetrievalParts,
  retrieval: Retrieval,
  signal: AbortSignal,
): Promise<Retrieved> {
  try {
    return await retrieveFragments(parts, retrieval, signal);
  } catch (error) {
    if (error instanceof SearchOverloaded) {
      throw problem('overloaded', OVERLOADED, {
        cause: error,
        headers: { 'Retry-After': String(error.retryAfterSeconds) },
      });
    }
    if (!(error instanceof KnowledgeUnavailable)) throw error;
    throw problem('dependency_unavailable', 'The search of the datastores is unavailable. Retry in a few seconds.', {
      cause: error,
      headers: { 'Retry-After': '2' },
    });
  }
}
