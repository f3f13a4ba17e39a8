import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnswerNote, AnswerRequest, RetrievalNote } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import { getDocumentId } from '../../retrieval/document-id.js';
import type { Fused } from '../../retrieval/fuse-lists.js';
import type { Retrieval, RetrievalParts } from '../../retrieval/retrieve.js';
import type { SearchText } from '../../retrieval/search-texts.js';
import { NO_USAGE, type Reply, splitIntoPieces } from '../generate-reply.js';
import { includeDefinition } from './definitions.js';
import { extractAnswer, type ExtractiveAnswer, extractFocusedAnswer } from './extract-answer.js';
import { getNotFoundAnswer } from './not-found-texts.js';
import { type FocusedSources, searchNamedDocuments } from './search-named-documents.js';

/** Maximum number of sources of an extractive answer. */
export const EXTRACTIVE_SOURCES = 8;

/** Holds the fragments from which an answer can be extracted. */
export interface ExtractiveSources {
  /** Fragments that were found for the whole question, best first. */
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

/** Selects the sources of an extractive answer. Searches again in the long documents that the question names. */
export async function selectExtractiveSources(
  parts: RetrievalParts,
  retrieval: Retrieval,
  { relevant, candidates, isRelevant }: FoundSources,
  signal: AbortSignal,
): Promise<ExtractiveSources> {
  const sufficient = candidates.filter(isRelevant);
  const focused = await searchNamedDocuments(parts, retrieval, sufficient, signal);
  const fragments = focused?.fragments.filter(isRelevant) ?? [];
  const question = retrieval.question.texts[0]?.text ?? '';
  return {
    fragments: includeDefinition(relevant, sufficient, question, retrieval.topK),
    focused: focused === undefined || fragments.length === 0 ? undefined : { ...focused, fragments },
    notes: focused?.notes ?? [],
  };
}

/**
 * Yields the sentences of the sources that answer the question. If no sentence answers it, yields the answer that
 * nothing was found.
 */
export async function* generateExtractiveReply(
  { query, generation, citationMarks = false }: AnswerRequest,
  texts: readonly SearchText[],
  knowledge: ExtractiveSources,
): Reply {
  const { found, sources } = extractFromSources(knowledge, texts);
  const text = citationMarks ? found?.markedText : found?.text;
  yield* yieldPieces(text ?? getNotFoundAnswer(query));
  const notes: readonly AnswerNote[] = generation.modelName === undefined ? [] : ['model_not_configured'];
  yield { answeredBy: 'extractive', sources, cited: found?.cited ?? new Set(), usage: NO_USAGE, notes };
}

interface Extraction {
  readonly found: ExtractiveAnswer | undefined;
  /** The fragments to which the answer refers. */
  readonly sources: readonly ScoredFragment[];
}

/**
 * Extracts the answer from the documents that the question names. If they contain none, or the question names no
 * document, extracts it from all sources. A name such as `January` can be in the title of a document that is not meant.
 */
function extractFromSources({ fragments, focused }: ExtractiveSources, texts: readonly SearchText[]): Extraction {
  if (focused === undefined) return { found: extractAnswer(fragments, texts), sources: fragments };
  const found = extractFocusedAnswer(focused);
  const other = found === undefined ? extractAnswer(fragments, texts) : undefined;
  const named = new Set(focused.fragments.map(getDocumentId));
  // The named documents were already searched with stricter rules.
  const citesNamed = fragments.some(
    (fragment, at) => other?.cited.has(at) === true && named.has(getDocumentId(fragment)),
  );
  if (other === undefined || citesNamed) return { found, sources: focused.fragments };
  return { found: other, sources: fragments };
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
