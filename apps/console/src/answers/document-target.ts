import type { AnswerSource, DatasourceDocument } from '@quarry/client';

/**
 * Finds the document of a source among the first documents of its datasource: the only one, or the one with its address.
 *
 * @returns undefined if the source cannot be assigned
 */
export function findDocumentKey(
  { source }: Pick<AnswerSource, 'source'>,
  documents: readonly Pick<DatasourceDocument, 'documentKey' | 'source'>[],
  hasMore: boolean,
): string | undefined {
  if (documents.length === 1 && !hasMore) return documents[0]?.documentKey;
  return documents.find((document) => document.source === source || document.documentKey === source)?.documentKey;
}
