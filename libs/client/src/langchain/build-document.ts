import { Document } from '@langchain/core/documents';
import type { DatastoreQueryResult } from '../types.js';

/** Default number of results, as in LangChain. */
export const DEFAULT_RESULTS = 4;

/** Builds a LangChain document from a search result. The document has the metadata of the result, plus `fields`. */
export function buildDocument(result: DatastoreQueryResult, fields: Readonly<Record<string, unknown>> = {}): Document {
  return new Document({
    id: result.document_id ?? result.datasource_id,
    pageContent: result.text,
    metadata: { ...result.metadata, ...fields },
  });
}
