import type { DocumentInterface } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import type { QuarryClient } from '../client.js';
import type { DatastoreQueryRequest, DatastoreQueryResult } from '../types.js';
import { buildDocument, DEFAULT_RESULTS } from './build-document.js';

export interface QuarryRetrieverFields extends BaseRetrieverInput {
  readonly quarry: Pick<QuarryClient, 'queryDatastore'>;
  readonly datastoreId: string;
  /** Maximum number of documents that a query returns. Default: 4. */
  readonly k?: number;
  readonly filters?: DatastoreQueryRequest['filters'];
}

/** Lists the fields of a search result that are copied into the metadata of its LangChain document. */
const SHOWN_FIELDS = [
  'score',
  'source',
  'datasource_id',
  'datasource_name',
  'document_key',
  'custom_id',
  'page',
] as const satisfies readonly (keyof DatastoreQueryResult)[];

/**
 * Retrieves the passages of a datastore that match a query. The datastore can contain files, web pages, catalogues and
 * texts. The metadata of a document contain fields of the search result, such as `score`, `source` and `page`, and the
 * metadata of an upserted text.
 */
export class QuarryRetriever extends BaseRetriever {
  readonly lc_namespace = ['quarry', 'retrievers'];
  private readonly fields: QuarryRetrieverFields;

  static override lc_name(): string {
    return 'QuarryRetriever';
  }

  constructor(fields: QuarryRetrieverFields) {
    super(fields);
    this.fields = fields;
  }

  override async _getRelevantDocuments(query: string): Promise<DocumentInterface[]> {
    const { quarry, datastoreId, k = DEFAULT_RESULTS, filters } = this.fields;
    const results = await quarry.queryDatastore(datastoreId, { query, topK: k, ...(filters && { filters }) });
    return results.map((result) =>
      buildDocument(result, Object.fromEntries(SHOWN_FIELDS.map((field) => [field, result[field]]))),
    );
  }
}
