import type { EmbeddingSettings, ExcludedContent, HistoryMessage, PriceRange, SearchScope } from '@quarry/contracts';
import { type Collection, createDocumentRef, type FragmentScope, type PriceBounds } from '@quarry/fragment-store';
import type { QueryList } from './rewrite-queries.js';

/** Describes a text to search for, with its weight relative to the other texts. */
export interface SearchText {
  readonly text: string;
  readonly weight: number;
}

/** Describes a question as weighted texts to search for. */
export interface SearchQuestion {
  readonly texts: readonly SearchText[];
  /** The whole question as one text, which a reranker compares with the fragments. */
  readonly whole: string;
}

const SECOND_WEIGHT = 0.5;
const MAX_CONTEXT_LENGTH = 400;

/** Returns the search question for queries outside of a conversation, with equal weights. */
export function createSearchQuestion(...queries: QueryList): SearchQuestion {
  return { texts: queries.map((text) => ({ text, weight: 1 })), whole: queries.join('\n') };
}

/**
 * Returns the search question for a query within a conversation. Adds, with a lower weight, a text that joins the
 * user's previous question and the query. A query such as "And in Spain?" alone would find nothing.
 */
export function createContextualQuestion(query: string, history: readonly HistoryMessage[]): SearchQuestion {
  const alone = createSearchQuestion(query);
  const previous = history.findLast(({ role, text }) => role === 'user' && text.trim() !== '');
  if (previous === undefined) return alone;
  const whole = `${previous.text.slice(0, MAX_CONTEXT_LENGTH).toWellFormed()}\n${query}`;
  return { texts: [...alone.texts, { text: whole, weight: SECOND_WEIGHT }], whole };
}

/**
 * Returns the search question for rewritten queries. Adds the original queries at a lower weight, in case the rewriting
 * lost information.
 */
export function createRewrittenQuestion(rewritten: QueryList, queries: QueryList): SearchQuestion {
  const { texts, whole } = createSearchQuestion(...rewritten);
  const originals = queries.filter((query) => !rewritten.includes(query));
  return { texts: [...texts, ...originals.map((text) => ({ text, weight: SECOND_WEIGHT }))], whole };
}

/** Describes a search in one collection of fragments. */
export interface CollectionSearch {
  readonly collection: Collection;
  readonly scope: FragmentScope;
}

/**
 * Creates one search per embedding configuration of the scope's datastores. If a filter is an empty list, it matches
 * nothing, so no search is created. Clients send an empty list for visitors who may see no content.
 */
export function createCollectionSearches({
  organizationId,
  datastores,
  filters,
  excluded,
}: SearchScope): CollectionSearch[] {
  const lists = {
    ...(filters?.datasource_ids && { datasourceIds: filters.datasource_ids }),
    ...(filters?.custom_ids && { customIds: filters.custom_ids }),
    ...(filters?.stock_status && { stockStatuses: filters.stock_status }),
  };
  if (Object.values(lists).some(({ length }) => length === 0)) return [];
  const narrowed = {
    ...lists,
    ...(filters?.price && { price: toPriceBounds(filters.price) }),
    ...(filters?.metadata && { metadata: filters.metadata }),
  };
  const groups = Map.groupBy(datastores, ({ embedding }) => getEmbeddingKey(embedding ?? null));
  return [...groups.values()].map((group) => ({
    collection: { embedding: group[0]?.embedding ?? null },
    scope: {
      organizationId,
      datastoreIds: group.map(({ id }) => id),
      ...narrowed,
      ...(excluded && { excluded: selectExcludedContent(group, organizationId, excluded) }),
    },
  }));
}

/**
 * Returns the content that the search of one collection must not return: the excluded documents of the datastores in
 * `group`, and all excluded datasources.
 */
function selectExcludedContent(
  group: SearchScope['datastores'],
  organizationId: string,
  { datasourceIds, documents }: ExcludedContent,
): NonNullable<FragmentScope['excluded']> {
  const ids = new Set(group.map(({ id }) => id));
  const documentsOfGroup = documents.filter(({ datastoreId }) => ids.has(datastoreId));
  return {
    datasourceIds,
    documents: documentsOfGroup.map(({ datastoreId, datasourceId, documentKey, upTo }) => ({
      ...createDocumentRef({ organizationId, datastoreId, datasourceId, documentKey }),
      upTo,
    })),
  };
}

function toPriceBounds({ min, max }: PriceRange): PriceBounds {
  return { ...(typeof min === 'number' && { min }), ...(typeof max === 'number' && { max }) };
}

function getEmbeddingKey(embedding: EmbeddingSettings | null): string {
  return embedding === null ? '' : JSON.stringify([embedding.model, embedding.dimensions, embedding.distance]);
}
