import type { AnswerSource } from '@quarry/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../api/client-context.js';
import { findDocumentKey } from './document-target.js';

const DOCUMENTS = 200;
const KEPT_MS = 300_000;

/** Finds the document of a source. Returns undefined while it is loaded, and if it cannot be found. */
export function useDocumentKey(source: AnswerSource): string | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['documents', source.datasource_id, 'of a source'],
    queryFn: async ({ signal }) => client.listDocuments(source.datasource_id, { limit: DOCUMENTS }, { signal }),
    staleTime: KEPT_MS,
  });
  return data === undefined ? undefined : findDocumentKey(source, data.items, data.next_cursor !== null);
}
