import type { AnswerEvent, AnswerNote, AnswerRequest, AnswerUsage, CitedFragment } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import type { ChatModel } from '../models/chat-model.js';
import { type RetrievalParts, retrieveFragments, toFoundFragment } from '../retrieval/retrieve.js';
import { createContextualQuestion, createRewrittenQuestion, type SearchQuestion } from '../retrieval/search-texts.js';
import {
  EXTRACTIVE_SOURCES,
  type ExtractiveSources,
  generateExtractiveReply,
  selectExtractiveSources,
} from './extractive/extractive-reply.js';
import { generateReply, NO_USAGE, type Reply, type ReplyEnd } from './generate-reply.js';
import { assemblePrompt, type Prompt } from './build-prompt.js';
import type { SourceTokens } from './source-tokens.js';
import { rewriteAsStandalone, type StandaloneQuestion } from './rewrite-as-standalone.js';

export interface AnsweringParts extends RetrievalParts {
  /** Approximate maximum number of tokens of a prompt. */
  readonly promptTokens: number;
  readonly sourceTokens: SourceTokens;
  /**
   * Maximum time in milliseconds for rewriting the question, so that a search can find its answer. 0 disables
   * rewriting.
   */
  readonly rewriteMs: number;
}

/**
 * Maximum number of sources of an answer by a model. It exceeds the default number of results of a search, because a
 * model also uses sources with lower ranks. It cites those that it has used. Source: decision record 80.
 */
export const MODEL_SOURCES = 16;

/**
 * Yields the events of an answer: pieces of its text (`delta`), then `completed`.
 *
 * @param model undefined: the answer consists of sentences of the sources
 * @throws any error of the search or the model, possibly after some events `delta`
 */
export async function* generateAnswer(
  parts: AnsweringParts,
  request: AnswerRequest,
  model: ChatModel | undefined,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const isRewritable = model !== undefined && request.datastores.length > 0;
  const rewritten = !isRewritable ? undefined : await rewriteQuestion(parts, request, model, signal);
  const question = createSearchQuestion(request, rewritten);
  const topK = limitSources(request, model === undefined ? EXTRACTIVE_SOURCES : MODEL_SOURCES);
  const isRelevant = createRelevanceCheck(request);
  const retrieval = { question, scope: request, topK };
  const { fragments, candidates, notes } = await retrieveFragments(parts, retrieval, signal);
  const relevant = fragments.filter(isRelevant);
  const knowledge =
    model === undefined
      ? await selectExtractiveSources(parts, retrieval, { relevant, candidates, isRelevant }, signal)
      : { fragments: relevant, notes: [] };
  const searchNotes = new Set([...notes, ...knowledge.notes]);
  let answer = '';
  for await (const piece of createReply(parts, request, { model, question, ...knowledge }, signal)) {
    if (typeof piece !== 'string') {
      yield buildCompletedEvent(answer, addTokenUsage(piece, rewritten?.usage), [...searchNotes, ...piece.notes]);
      return;
    }
    signal.throwIfAborted();
    if (piece === '') continue;
    answer += piece;
    yield { type: 'delta', text: piece };
  }
}

/** Returns the number of sources to retrieve: `most`, or the maximum that the request sets if that is lower. */
export function limitSources({ maxSources }: AnswerRequest, most: number): number {
  return Math.min(maxSources ?? most, most);
}

/** Creates the check whether the score of a source reaches the minimum that the request sets. */
export function createRelevanceCheck({ minScore = 0 }: AnswerRequest): (source: { readonly score: number }) => boolean {
  return ({ score }) => score >= minScore;
}

async function rewriteQuestion(
  { rewriteMs, log }: AnsweringParts,
  request: AnswerRequest,
  model: ChatModel,
  signal: AbortSignal,
): Promise<StandaloneQuestion | undefined> {
  return rewriteAsStandalone({ model, timeoutMs: rewriteMs, log }, request, signal);
}

function createSearchQuestion(
  { query, history }: AnswerRequest,
  rewritten: StandaloneQuestion | undefined,
): SearchQuestion {
  return rewritten?.text === undefined
    ? createContextualQuestion(query, history)
    : createRewrittenQuestion([rewritten.text], [query]);
}

interface ReplyInput extends ExtractiveSources {
  readonly model: ChatModel | undefined;
  readonly question: SearchQuestion;
}

function createReply(parts: AnsweringParts, request: AnswerRequest, input: ReplyInput, signal: AbortSignal): Reply {
  const { model, question, fragments } = input;
  if (model === undefined) return generateExtractiveReply(request, question.texts, input);
  const { generation, citationMarks = false } = request;
  return generateReply(model, buildPrompt(parts, request, fragments), { generation, citationMarks }, signal);
}

/** Builds the prompt of a question with its sources. */
export function buildPrompt(
  { promptTokens, sourceTokens }: Pick<AnsweringParts, 'promptTokens' | 'sourceTokens'>,
  request: AnswerRequest,
  sources: readonly ScoredFragment[],
): Prompt {
  const { query, history, systemPrompt, userPrompt, promptType, promptTemplate, restrictToKnowledge } = request;
  const prompts = { systemPrompt, userPrompt, promptType, promptTemplate };
  const hasKnowledge = request.datastores.length > 0;
  const knowledge = { sources, restrictToKnowledge, hasKnowledge, sourceTokens };
  return assemblePrompt({ query, history, ...prompts, ...knowledge }, promptTokens);
}

/** Adds the token usage of rewriting the question to the usage of the answer. */
function addTokenUsage(end: ReplyEnd, more: AnswerUsage = NO_USAGE): ReplyEnd {
  const { promptTokens, completionTokens } = end.usage;
  const usage = {
    promptTokens: promptTokens + more.promptTokens,
    completionTokens: completionTokens + more.completionTokens,
  };
  return { ...end, usage };
}

function buildCompletedEvent(
  answer: string,
  { answeredBy, sources, cited, usage }: ReplyEnd,
  notes: readonly AnswerNote[],
): AnswerEvent {
  return { type: 'completed', answer, answeredBy, sources: markCitedSources(sources, cited), usage, notes };
}

/**
 * Marks the sources that an answer cites, whether a model wrote it or sentences were extracted. @param cited zero-based
 * positions in `sources`
 */
function markCitedSources(sources: readonly ScoredFragment[], cited: ReadonlySet<number>): readonly CitedFragment[] {
  return sources.map((source, at) => ({ ...toFoundFragment(source), cited: cited.has(at) }));
}
