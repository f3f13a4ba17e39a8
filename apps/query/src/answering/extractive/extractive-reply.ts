import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnswerNote, AnswerRequest, RetrievalNote } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import type { Fused } from '../../retrieval/fuse-lists.js';
import type { Retrieval, RetrievalParts } from '../../retrieval/retrieve.js';
import type { SearchText } from '../../retrieval/search-texts.js';
import { NO_USAGE, type Reply, splitIntoPieces } from '../generate-reply.js';
import { includeDefinition } from './definitions.js';
import { extractAnswer, extractFocusedAnswer } from './extract-answer.js';
import { getNotFoundAnswer } from './not-found-texts.js';
import { type FocusedSources, searchNamedDocuments } from './search-named-documents.js';

/** Maximum number of sources of an extractive answer. */
export const EXTRACTIVE_SOURCES = 8;

/** Holds the fragments from which an answer can be extracted. */
export interface ExtractiveSources {
  readonly fragments: readonly ScoredFragment[];
  /** Fragments of the documents that the question names; undefined if it names no long document. */
  readonly focused?: FocusedSources | undefined;
  /** Codes of steps that failed in the search in the named documents. */
  readonly notes: readonly RetrievalNote[];
}

/** Holds the fragments that the search for the whole question has found. */
export interface FoundSources {
  readonly relevant: readonly ScoredFragment[];
  readonly candidates: readonly Fused<ScoredFragment>[];
  /** Returns whether a score reaches the minimum score of the request. */
  readonly isRelevant: (scored: { readonly score: number }) => boolean;
}

/**
 * Selects the sources of an extractive answer. If the question names long documents with relevant fragments, these are
 * the only sources.
 */
export async function selectExtractiveSources(
  parts: RetrievalParts,
  retrieval: Retrieval,
  { relevant, candidates, isRelevant }: FoundSources,
  signal: AbortSignal,
): Promise<ExtractiveSources> {
  const sufficient = candidates.filter(isRelevant);
  const focused = await searchNamedDocuments(parts, retrieval, sufficient, signal);
  const fragments = focused?.fragments.filter(isRelevant) ?? [];
  const notes = focused?.notes ?? [];
  if (focused !== undefined && fragments.length > 0) return { fragments, focused: { ...focused, fragments }, notes };
  const question = retrieval.question.texts[0]?.text ?? '';
  return { fragments: includeDefinition(relevant, sufficient, question, retrieval.topK), notes };
}

/**
 * Yields the sentences of the sources that answer the question. If no sentence answers it, yields the answer that
 * nothing was found.
 */
export async function* generateExtractiveReply(
  { query, generation, citationMarks = false }: AnswerRequest,
  texts: readonly SearchText[],
  { fragments: sources, focused }: ExtractiveSources,
): Reply {
  const found = focused === undefined ? extractAnswer(sources, texts) : extractFocusedAnswer(focused);
  const text = citationMarks ? found?.markedText : found?.text;
  yield* yieldPieces(text ?? getNotFoundAnswer(query));
  const notes: readonly AnswerNote[] = generation.modelName === undefined ? [] : ['model_not_configured'];
  yield { answeredBy: 'extractive', sources, cited: found?.cited ?? new Set(), usage: NO_USAGE, notes };
}

/**
 * Yields a text in pieces of about one word. Waits for the next turn of the event loop after each piece, so that other
 * requests make progress.
 */
async function* yieldPieces(text: string): AsyncGenerator<string> {
  for (const piece of splitIntoPieces(text.toWellFormed())) {
    yield piece;
    await nextTurn();
  }
}
