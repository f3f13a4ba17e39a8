import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnswerEvent, AnswerNote, AnswerRequest, AnswerUsage } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import type { ChatModel } from '../models/chat-model.js';
import { toFoundFragment } from '../retrieval/found-fragment.js';
import { retrieve, type RetrievalParts } from '../retrieval/retrieve.js';
import {
  questionInContext,
  questionRewritten,
  type SearchQuestion,
  type SearchText,
} from '../retrieval/search-texts.js';
import { answerFromSentences } from './extractive.js';
import { modelReply } from './model-reply.js';
import { notKnown } from './not-known.js';
import { assemblePrompt } from './prompt.js';
import { NO_USAGE, piecesOf, type Reply, type ReplyEnd } from './reply.js';
import { standaloneQuestion, type StandaloneQuestion } from './standalone-question.js';

export interface AnsweringParts extends RetrievalParts {
  /** About how many tokens a prompt may have. */
  readonly promptTokens: number;
  /** How long an answer waits for its question to be rewritten; 0: none is. */
  readonly rewriteMs: number;
}

/** More than a search gives by default: a model finds the answer further down, and says which sources it used. */
const SOURCES = 8;

/**
 * The events of an answer: deltas, then `completed`.
 *
 * @param model undefined: sentences of the sources answer
 * @throws what retrieval or the model throws, also in the middle
 */
export async function* answerEvents(
  parts: AnsweringParts,
  request: AnswerRequest,
  model: ChatModel | undefined,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const rewritten = model === undefined ? undefined : await rewrite(parts, request, model, signal);
  const question = questionOf(request, rewritten);
  const { fragments, notes } = await retrieve(parts, { question, scope: request, topK: SOURCES }, signal);
  const reply = replyTo(parts, request, { model, question, fragments }, signal);
  let answer = '';
  let next = await reply.next();
  for (; next.done !== true; next = await reply.next()) {
    signal.throwIfAborted();
    if (next.value === '') continue;
    answer += next.value;
    yield { type: 'delta', text: next.value };
  }
  yield completed(answer, withUsage(next.value, rewritten?.usage), [...notes, ...next.value.notes]);
}

async function rewrite(
  { rewriteMs, log }: AnsweringParts,
  request: AnswerRequest,
  model: ChatModel,
  signal: AbortSignal,
): Promise<StandaloneQuestion | undefined> {
  return standaloneQuestion({ model, timeoutMs: rewriteMs, log }, request, signal);
}

function questionOf({ query, history }: AnswerRequest, rewritten: StandaloneQuestion | undefined): SearchQuestion {
  return rewritten === undefined ? questionInContext(query, history) : questionRewritten(rewritten.text, query);
}

interface Ground {
  readonly model: ChatModel | undefined;
  readonly question: SearchQuestion;
  readonly fragments: readonly ScoredFragment[];
}

function replyTo(parts: AnsweringParts, request: AnswerRequest, ground: Ground, signal: AbortSignal): Reply {
  const { model, question, fragments } = ground;
  if (model === undefined) return extractiveReply(request, question.texts, fragments);
  const { query, history, systemPrompt, userPrompt, promptType, promptTemplate, restrictToKnowledge } = request;
  const prompts = { systemPrompt, userPrompt, promptType, promptTemplate };
  const prompt = assemblePrompt(
    { query, history, sources: fragments, ...prompts, restrictToKnowledge },
    parts.promptTokens,
  );
  const { generation, citationMarks = false } = request;
  return modelReply(model, prompt, { generation, citationMarks }, signal);
}

async function* extractiveReply(
  { query, generation }: AnswerRequest,
  texts: readonly SearchText[],
  sources: readonly ScoredFragment[],
): Reply {
  const found = answerFromSentences(sources, texts);
  yield* inPieces(found?.text ?? notKnown(query));
  const notes: readonly AnswerNote[] = generation.modelName === undefined ? [] : ['model_not_configured'];
  return { answeredBy: 'extractive', sources, cited: found?.cited ?? new Set(), usage: NO_USAGE, notes };
}

/** Other requests have their turn between the pieces. */
async function* inPieces(text: string): AsyncGenerator<string> {
  for (const piece of piecesOf(text.toWellFormed())) {
    yield piece;
    await nextTurn();
  }
}

/** Rewriting the question is a part of what the answer took. */
function withUsage(end: ReplyEnd, more: AnswerUsage = NO_USAGE): ReplyEnd {
  const { promptTokens, completionTokens } = end.usage;
  const usage = {
    promptTokens: promptTokens + more.promptTokens,
    completionTokens: completionTokens + more.completionTokens,
  };
  return { ...end, usage };
}

function completed(
  answer: string,
  { answeredBy, sources, cited, usage }: ReplyEnd,
  notes: readonly AnswerNote[],
): AnswerEvent {
  const cite = (source: ScoredFragment, at: number): ReturnType<typeof toFoundFragment> & { cited: boolean } => {
    return { ...toFoundFragment(source), cited: cited.has(at) };
  };
  return { type: 'completed', answer, answeredBy, sources: sources.map(cite), usage, notes };
}
