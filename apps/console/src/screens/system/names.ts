import type { SystemService } from '@quarry/client';
import type { Catalogue } from '../../language/define-messages.js';

interface ServiceText {
  readonly name: string;
  readonly purpose: string;
}

/** The display names and purposes of the services. */
export const SERVICE_MESSAGES: Catalogue<Readonly<Record<SystemService['name'], ServiceText>>> = {
  en: {
    gateway: { name: 'Gateway', purpose: 'Serves the API and this console' },
    query: { name: 'Query service', purpose: 'Searches and answers' },
    'ingestion-worker': { name: 'Ingestion worker', purpose: 'Reads and indexes documents' },
    crawler: { name: 'Crawler', purpose: 'Reads web pages and sites' },
    'catalog-sync': { name: 'Catalogue sync', purpose: 'Reads item listings' },
  },
  de: {
    gateway: { name: 'Gateway', purpose: 'Bedient die API und diese Konsole' },
    query: { name: 'Query-Dienst', purpose: 'Sucht und antwortet' },
    'ingestion-worker': { name: 'Ingestion-Worker', purpose: 'Liest und indexiert Dokumente' },
    crawler: { name: 'Crawler', purpose: 'Liest Webseiten und Websites' },
    'catalog-sync': { name: 'Katalog-Sync', purpose: 'Liest Produktlisten' },
  },
};

/**
 * Display names of values of the API. A value without a name is shown unchanged, because later versions of the API may
 * add values.
 */
type Names = Readonly<Record<string, string | undefined>>;

/** Declares display names. A key that only one of the languages contains is a compile error. */
function defineDisplayNames<Key extends string>(catalogue: Catalogue<Readonly<Record<Key, string>>>): Catalogue<Names> {
  return catalogue;
}

export const DEPENDENCY_MESSAGES = defineDisplayNames({
  en: {
    ...{ database: 'Database', queue: 'Queue server', blobs: 'File store', query: 'Query service' },
    ...{ fragments: 'Vector store', gateway: 'Gateway' },
  },
  de: {
    ...{ database: 'Datenbank', queue: 'Queue-Server', blobs: 'Dateispeicher', query: 'Query-Dienst' },
    ...{ fragments: 'Vektorspeicher', gateway: 'Gateway' },
  },
});

export const COMPONENT_MESSAGES = defineDisplayNames({
  en: {
    ...{ vector_store: 'Vector store', queue_server: 'Queue server', blob_store: 'File store' },
    ...{ model_provider: 'Provider', default_model: 'Default model', embedding_model: 'Embeddings' },
    ...{ embedder: 'Embedder', reranker: 'Reranker', ocr: 'OCR', page_renderer: 'Page renderer' },
  },
  de: {
    ...{ vector_store: 'Vektorspeicher', queue_server: 'Queue-Server', blob_store: 'Dateispeicher' },
    ...{ model_provider: 'Anbieter', default_model: 'Standardmodell', embedding_model: 'Embeddings' },
    ...{ embedder: 'Embedder', reranker: 'Reranker', ocr: 'OCR', page_renderer: 'Seiten-Renderer' },
  },
});

export const QUEUE_MESSAGES = defineDisplayNames({
  en: {
    ...{ ingestion: 'Indexing', crawl: 'Crawls', catalog: 'Listing syncs', 'datasource-status': 'Status events' },
    ...{ webhooks: 'Webhooks', 'page-pictures': 'Page pictures' },
  },
  de: {
    ...{ ingestion: 'Indexierung', crawl: 'Crawls', catalog: 'Listen-Syncs', 'datasource-status': 'Statusereignisse' },
    ...{ webhooks: 'Webhooks', 'page-pictures': 'Seitenbilder' },
  },
});

export const CLASS_MESSAGES = defineDisplayNames({
  en: { interactive: 'Someone waits for them', sync: 'Syncs and crawls', bulk: 'Documents of a run' },
  de: { interactive: 'Jemand wartet darauf', sync: 'Syncs und Crawls', bulk: 'Dokumente eines Laufs' },
});
