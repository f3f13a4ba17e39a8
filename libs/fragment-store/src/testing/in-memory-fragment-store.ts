import { extractTerms, weighQueryTerms } from '@quarry/text-analysis';
import { requireVectorDimensions, requireValidVersion } from '../require-valid-version.js';
import { getCollectionName } from '../collection-name.js';
import { computeCosine } from '../cosine.js';
import type { Collection, DocumentVersion, FragmentStore, Offer, ScoredFragment } from '../fragment-store.js';
import type { ExcludedContent, ExcludedDocument, FragmentScope } from '../fragment-scope.js';
import { detectVersionLanguage, selectFrequentLanguages } from '../document-languages.js';
import { decodeDocumentProfile, DocumentProfileBuilder, type DocumentProfile } from '../document-profile.js';
import { computeDocumentId, computeFragmentId } from '../identity.js';
import { selectListedRanges } from '../listed-ranges.js';
import { rankByDocuments } from '../rank-by-documents.js';
import { computeBm25Scores } from './bm25.js';
import { isMetadataMatch } from './is-metadata-match.js';

interface HeldFragment {
  readonly fragment: Omit<ScoredFragment, 'score'>;
  readonly terms: readonly string[];
  readonly profile: DocumentProfile;
  readonly vector: Float32Array | null;
}

interface HeldDocument {
  readonly version: DocumentVersion;
  /** ISO 639-1 code of the document's main language, or null if the language is unclear. */
  readonly language: string | null;
  readonly fragments: readonly HeldFragment[];
}

/** Creates a fragment store without persistence, for tests. Searches scan all fragments. */
export function createInMemoryFragmentStore(): FragmentStore {
  const collections = new Map<string, Map<string, HeldDocument>>();

  const getDocuments = (collection: Collection): Map<string, HeldDocument> => {
    const name = getCollectionName(collection);
    const documents = collections.get(name) ?? new Map<string, HeldDocument>();
    collections.set(name, documents);
    return documents;
  };

  /** Maps document ids to the generations up to which they were removed. */
  const removedUpTo = new Map<string, number>();

  const removeMatchingVersions = (collection: Collection, matches: (version: DocumentVersion) => boolean): void => {
    const documents = getDocuments(collection);
    for (const [id, { version }] of documents) if (matches(version)) documents.delete(id);
  };

  const findInScope = (collection: Collection, scope: FragmentScope): HeldFragment[] =>
    [...getDocuments(collection).values()]
      .filter(({ version }) => isInScope(scope, version))
      .flatMap(({ fragments }) => fragments);

  const findLanguages = (
    collection: Collection,
    { organizationId, datastoreIds }: FragmentScope,
  ): readonly string[] => {
    const counts = new Map<string, Map<string, number>>();
    for (const { version, language } of getDocuments(collection).values()) {
      const { datastoreId, fragments } = version;
      if (language === null || version.organizationId !== organizationId || !datastoreIds.includes(datastoreId))
        continue;
      const ofDatastore = counts.get(datastoreId) ?? new Map<string, number>();
      counts.set(datastoreId, ofDatastore.set(language, (ofDatastore.get(language) ?? 0) + fragments.length));
    }
    return [...new Set(Array.from(counts.values()).flatMap(selectFrequentLanguages))].toSorted();
  };

  return {
    async readStoredDocument(collection, document) {
      const stored = getDocuments(collection).get(computeDocumentId(document));
      if (stored === undefined) return undefined;
      const { version } = stored;
      const firstFragmentId = stored.fragments[0]?.fragment.id ?? '';
      const tokens = version.fragments.reduce((sum, fragment) => sum + fragment.tokens, 0);
      const { generation, contentHash } = version;
      return { generation, firstFragmentId, contentHash, fragments: version.fragments.length, tokens };
    },

    async replaceDocument(collection, version) {
      requireValidVersion(collection, version);
      const documents = getDocuments(collection);
      const id = computeDocumentId(version);
      const stored = documents.get(id);
      if (stored !== undefined && stored.version.generation > version.generation) return;
      if ((removedUpTo.get(createRemovalKey(collection, id)) ?? -Infinity) >= version.generation) return;
      documents.set(id, copyVersion(version));
    },

    async confirmDocument(collection, document, { generation, contentHash }) {
      const documents = getDocuments(collection);
      const id = computeDocumentId(document);
      const stored = documents.get(id);
      if (stored?.version.contentHash !== contentHash) return false;
      const newest = Math.max(stored.version.generation, generation);
      documents.set(id, { ...stored, version: { ...stored.version, generation: newest } });
      return true;
    },

    async removeDocument(collection, document, upTo) {
      const documents = getDocuments(collection);
      const id = computeDocumentId(document);
      const key = createRemovalKey(collection, id);
      removedUpTo.set(key, Math.max(upTo, removedUpTo.get(key) ?? upTo));
      const stored = documents.get(id);
      if (stored !== undefined && stored.version.generation <= upTo) documents.delete(id);
    },

    async removeDatasource(collection, { organizationId, datasourceId }) {
      removeMatchingVersions(
        collection,
        (it) => it.organizationId === organizationId && it.datasourceId === datasourceId,
      );
    },

    async removeDatastore(collection, { organizationId, datastoreId }) {
      removeMatchingVersions(
        collection,
        (it) => it.organizationId === organizationId && it.datastoreId === datastoreId,
      );
    },

    async searchDense(collection, scope, vector, limit) {
      requireVectorDimensions(collection, vector);
      const scored = findInScope(collection, scope).map((stored) => ({
        ...stored.fragment,
        score: stored.vector === null ? 0 : computeCosine(vector, stored.vector),
      }));
      return selectBestFragments(scored, limit);
    },

    findLanguages: async (collection, scope) => findLanguages(collection, scope),

    async searchLexical(collection, scope, { text, vector }, limit) {
      if (vector !== undefined) requireVectorDimensions(collection, vector);
      const candidates = findInScope(collection, scope);
      const terms = weighQueryTerms(text, findLanguages(collection, scope));
      const scores = computeBm25Scores(
        candidates.map((stored) => stored.terms),
        terms,
      );
      const profiles = new Map(candidates.map(({ fragment, profile }) => [fragment.id, profile]));
      const scored = candidates
        .map((stored, at) => ({
          ...stored.fragment,
          score: scores[at] ?? 0,
          ...(vector && stored.vector && { similarity: computeCosine(vector, stored.vector) }),
        }))
        .filter((fragment) => fragment.score > 0);
      return selectBestFragments(
        rankByDocuments(scored, terms, ({ id }) => profiles.get(id)),
        limit,
      );
    },

    async listFragments(collection, listing) {
      const documents = getDocuments(collection);
      const ids = listing.documentKeys.map((documentKey) => computeDocumentId({ ...listing, documentKey }));
      const stored = new Map(
        ids.flatMap((id) => {
          const document = documents.get(id);
          if (document?.version.datasourceId !== listing.datasourceId) return [];
          const { version, fragments } = document;
          return [[id, { stored: fragments, generation: version.generation, fragments: fragments.length }] as const];
        }),
      );
      return selectListedRanges(listing, stored).flatMap(({ document, from, to }) =>
        document.stored.slice(from, to).map(({ fragment }) => fragment),
      );
    },

    async ping() {
      return undefined;
    },

    async close() {
      collections.clear();
    },
  };
}

function createRemovalKey(collection: Collection, id: string): string {
  return `${getCollectionName(collection)}/${id}`;
}

function copyVersion(version: DocumentVersion): HeldDocument {
  const { datastoreId, datasourceId, documentKey, customId, source, generation, contentHash } = version;
  const terms = version.fragments.map(({ text, context }) => extractTerms(`${context}\n${text}`));
  const builder = new DocumentProfileBuilder();
  for (const [at, { text }] of version.fragments.entries()) builder.addFragment(terms[at] ?? [], text.length);
  const profile = decodeDocumentProfile(builder.encodeProfile());
  const fragments = version.fragments.map(({ text, context, page, location, rectangles, vector }, ordinal) => ({
    fragment: {
      id: computeFragmentId(version, ordinal),
      ...{ datastoreId, datasourceId, documentKey, customId, source, version: contentHash, generation },
      ...{ page, location, rectangles, ordinal, context, text },
    },
    terms: terms[ordinal] ?? [],
    profile,
    vector,
  }));
  return { version, language: detectVersionLanguage(version), fragments };
}

function isInScope(scope: FragmentScope, version: DocumentVersion): boolean {
  return (
    scope.organizationId === version.organizationId &&
    scope.datastoreIds.includes(version.datastoreId) &&
    (scope.datasourceIds?.includes(version.datasourceId) ?? true) &&
    (scope.customIds === undefined || (version.customId !== null && scope.customIds.includes(version.customId))) &&
    isOfferInScope(scope, version.offer) &&
    (scope.metadata === undefined || isMetadataMatch(scope.metadata, version.metadata)) &&
    !isExcludedVersion(scope.excluded, version)
  );
}

function isExcludedVersion(excluded: ExcludedContent | undefined, version: DocumentVersion): boolean {
  const isThisDocument = ({ datastoreId, documentKey, upTo }: ExcludedDocument): boolean =>
    datastoreId === version.datastoreId && documentKey === version.documentKey && version.generation <= upTo;
  return (
    excluded !== undefined &&
    (excluded.datasourceIds.includes(version.datasourceId) || excluded.documents.some(isThisDocument))
  );
}

function isOfferInScope(
  { price, stockStatuses }: FragmentScope,
  { price: own = null, stockStatus = null }: Partial<Offer> = {},
) {
  const { min = -Infinity, max = Infinity } = price ?? {};
  const isPriced = price === undefined || (own !== null && own >= min && own <= max);
  return isPriced && (stockStatuses === undefined || (stockStatus !== null && stockStatuses.includes(stockStatus)));
}

function selectBestFragments(fragments: readonly ScoredFragment[], limit: number): readonly ScoredFragment[] {
  return fragments.toSorted((a, b) => b.score - a.score).slice(0, limit);
}
