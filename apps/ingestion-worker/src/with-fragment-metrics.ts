import type { FragmentStore } from '@quarry/fragment-store';
import type { Metrics } from '@quarry/service-kit';
import { Counter } from 'prom-client';

/** Wraps a fragment store so that metrics count the documents and fragments that are written to it. */
export function withFragmentMetrics(store: FragmentStore, metrics: Metrics): FragmentStore {
  const registers = [metrics.registry];
  const documents = new Counter({
    name: 'quarry_documents_indexed_total',
    help: 'Documents whose fragments were written. Unchanged documents are not counted.',
    registers,
  });
  const fragments = new Counter({
    name: 'quarry_fragments_written_total',
    help: 'Fragments that were written.',
    registers,
  });
  return {
    async replaceDocument(collection, version) {
      await store.replaceDocument(collection, version);
      documents.inc();
      fragments.inc(version.fragments.length);
    },
    readStoredDocument: (collection, document) => store.readStoredDocument(collection, document),
    confirmDocument: (...confirmed) => store.confirmDocument(...confirmed),
    removeDocument: (collection, document, upTo) => store.removeDocument(collection, document, upTo),
    removeDatasource: (collection, owner) => store.removeDatasource(collection, owner),
    removeDatastore: (collection, owner) => store.removeDatastore(collection, owner),
    searchDense: (collection, scope, vector, limit) => store.searchDense(collection, scope, vector, limit),
    searchLexical: (collection, scope, query, limit) => store.searchLexical(collection, scope, query, limit),
    findLanguages: (collection, scope) => store.findLanguages(collection, scope),
    listFragments: (collection, listing) => store.listFragments(collection, listing),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}
