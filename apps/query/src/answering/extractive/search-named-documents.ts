import type { RetrievalNote, SearchScope } from '@quarry/contracts';
import type { ScoredFragment, StoredFragment } from '@quarry/fragment-store';
import { getDocumentId } from '../../retrieval/document-id.js';
import type { Fused } from '../../retrieval/fuse-lists.js';
import { limitStoreQueries, type Retrieval, type RetrievalParts, retrieveFragments } from '../../retrieval/retrieve.js';
import { createSearchQuestion, type SearchQuestion } from '../../retrieval/search-texts.js';
import { findNamedDocuments, focusQuestion, type NamedDocuments, TITLE_SEPARATOR } from './focus-question.js';
import { extractQuestionWords, type QuestionWord } from './question-words.js';

/** Holds the result of a search in the documents that a question names. */
export interface FocusedSources {
  /**
   * The words of the question that state what it asks about the documents, joined by spaces. Words that name documents
   * are omitted.
   */
  readonly focus: string;
  /** Fragments of the named documents that match the focus, best first. */
  readonly fragments: readonly ScoredFragment[];
  /** All fragments, of any document, that were found for the focus or for the whole question. */
  readonly found: readonly ScoredFragment[];
  /** Codes of steps of this search that failed, such as `not_reranked`. */
  readonly notes: readonly RetrievalNote[];
}

/**
 * Maximum number of named documents whose first fragment is read to find words that only state the kind of the
 * documents, such as `report`.
 */
const MAX_HEADS = 3;
/** Maximum number of found documents whose beginning is searched for the names in the question. */
const MAX_BEGINNINGS = 8;
/**
 * Number of fragments that form the beginning of a document. The first one alone can lack the title, because a title
 * starts a new fragment.
 */
const BEGINNING_FRAGMENTS = 3;

/**
 * Searches only in the documents that a question names, for what the question asks about them. A search for the whole
 * question would mainly find passages that repeat the name of a long document, such as its first and last pages.
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
  const readFirst = async (document: ScoredFragment, limit: number): Promise<readonly StoredFragment[]> =>
    readFirstFragments(parts, { scope, document, limit }, signal);
  const named = await findDocuments(question, first, readFirst);
  if (named === undefined) return undefined;
  const heads = await Promise.all(
    named.documents.slice(0, MAX_HEADS).map(async (document) => (await readFirst(document, 1))[0]?.text ?? ''),
  );
  const focus = focusQuestion(named.asked, heads);
  const ids = new Set(named.documents.map(getDocumentId));
  const datasourceIds = [...new Set(named.documents.map(({ datasourceId }) => datasourceId))];
  const retrieval = {
    question: createSearchQuestion(focus),
    scope: Object.assign({}, scope, { filters: Object.assign({}, scope.filters, { datasource_ids: datasourceIds }) }),
    topK,
  };
  const { fragments, candidates: more, notes } = await retrieveFragments(parts, retrieval, signal);
  return {
    focus,
    fragments: fragments.filter((fragment) => ids.has(getDocumentId(fragment))),
    found: [...first, ...more.map(({ item }) => item)],
    notes,
  };
}

type ReadFirst = (document: ScoredFragment, limit: number) => Promise<readonly StoredFragment[]>;

/**
 * Finds the documents whose title contains names of the question. If no title contains a name, finds the documents
 * whose beginning contains all names of the question. An example is a report whose file name is an abbreviation.
 */
async function findDocuments(
  { texts, whole }: SearchQuestion,
  found: readonly ScoredFragment[],
  readFirst: ReadFirst,
): Promise<NamedDocuments | undefined> {
  const question = texts[0]?.text ?? '';
  const named = findNamedDocuments(question, found, whole);
  const names = extractQuestionWords(question).filter(isName);
  const asked = named?.asked.filter(isName) ?? names;
  if (names.length === 0 || asked.length < names.length) return named;
  const documents = [...Map.groupBy(found, getDocumentId)].slice(0, MAX_BEGINNINGS);
  const beginnings = await Promise.all(
    documents.map(async ([id, [fragment]]) => {
      const fragments = fragment === undefined ? [] : await readFirst(fragment, BEGINNING_FRAGMENTS);
      return [id, fragments.map(formatWithHeadings).join('\n')] as const;
    }),
  );
  const begun = findNamedDocuments(question, found, whole, new Map(beginnings));
  return begun === undefined || begun.asked.some(isName) ? named : begun;
}

function isName({ kind }: QuestionWord): boolean {
  return kind === 'name';
}

function formatWithHeadings({ context, text }: StoredFragment): string {
  const [, ...headings] = context.split(TITLE_SEPARATOR);
  return [...headings, text].join('\n');
}

interface FirstFragments {
  readonly scope: SearchScope;
  readonly document: ScoredFragment;
  readonly limit: number;
}

/**
 * Returns the first fragments of a document. The list is empty if the document was removed.
 *
 * @throws KnowledgeUnavailable, the signal's reason when it aborts
 */
async function readFirstFragments(
  { fragmentStore }: Pick<RetrievalParts, 'fragmentStore'>,
  { scope: { organizationId, datastores }, document, limit }: FirstFragments,
  signal: AbortSignal,
): Promise<readonly StoredFragment[]> {
  const { datastoreId, datasourceId, documentKey } = document;
  const embedding = datastores.find(({ id }) => id === datastoreId)?.embedding ?? null;
  const owner = { organizationId, datastoreId, datasourceId };
  const listing = { ...owner, documentKeys: [documentKey], firstOrdinal: 0, limit };
  return limitStoreQueries(async () => fragmentStore.listFragments({ embedding }, listing), signal);
}
