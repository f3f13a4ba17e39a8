import { rejectOnAbort } from '@quarry/cancellation';
import type { SearchScope } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import type { Fused } from '../retrieval/fuse-lists.js';
import { type Retrieval, type RetrievalParts, retrieveFragments } from '../retrieval/retrieve.js';
import { createSearchQuestion } from '../retrieval/search-texts.js';
import { findNamedDocuments, focusQuestion, getDocumentId } from './focus-question.js';

/** Holds the fragments of named documents that match what a question asks for. */
export interface FocusedSources {
  /** Holds the words that the question asks for, without those that name documents. */
  readonly focus: string;
  /** Fragments, best first. */
  readonly fragments: readonly ScoredFragment[];
  /** All fragments that were found for the focus or for the whole question. */
  readonly found: readonly ScoredFragment[];
}

/** Maximum number of documents whose beginning is read. */
const MAX_HEADS = 3;

/**
 * Searches the documents that a question names for what the question asks. A search for the whole question finds the
 * passages of a long document that repeat its name, such as its first and last pages.
 *
 * @param candidates all fragments that were found for the whole question, best first
 * @returns undefined if the question names no long document
 */
export async function searchNamedDocuments(
  parts: RetrievalParts,
  { question, scope, topK }: Retrieval,
  candidates: readonly Fused<ScoredFragment>[],
  signal: AbortSignal,
): Promise<FocusedSources | undefined> {
  const first = candidates.map(({ item }) => item);
  const named = findNamedDocuments(question.texts[0]?.text ?? '', first, question.whole);
  if (named === undefined) return undefined;
  const heads = await Promise.all(
    named.documents.slice(0, MAX_HEADS).map((document) => readHead(parts, scope, document, signal)),
  );
  const focus = focusQuestion(named.asked, heads);
  const ids = new Set(named.documents.map(getDocumentId));
  const datasourceIds = [...new Set(named.documents.map(({ datasourceId }) => datasourceId))];
  const retrieval = {
    question: createSearchQuestion(focus),
    scope: Object.assign({}, scope, { filters: Object.assign({}, scope.filters, { datasource_ids: datasourceIds }) }),
    topK,
  };
  const { fragments, candidates: more } = await retrieveFragments(parts, retrieval, signal);
  return {
    focus,
    fragments: fragments.filter((fragment) => ids.has(getDocumentId(fragment))),
    found: [...first, ...more.map(({ item }) => item)],
  };
}

/** Returns the text of the first fragment of a document; empty if the document was removed. */
async function readHead(
  { fragmentStore }: Pick<RetrievalParts, 'fragmentStore'>,
  { organizationId, datastores }: SearchScope,
  { datastoreId, datasourceId, documentKey }: ScoredFragment,
  signal: AbortSignal,
): Promise<string> {
  const embedding = datastores.find(({ id }) => id === datastoreId)?.embedding ?? null;
  const owner = { organizationId, datastoreId, datasourceId };
  const listing = { ...owner, documentKeys: [documentKey], firstOrdinal: 0, limit: 1 };
  const [head] = await rejectOnAbort(fragmentStore.listFragments({ embedding }, listing), signal);
  return head?.text ?? '';
}
