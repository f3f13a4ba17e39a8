import {
  isSettledStatus,
  parseStoredDocumentKey,
  type DocumentOutcome,
  type DocumentPages,
  type DocumentResponse,
  normalizeUrl,
} from '@quarry/contracts';
import type { DocumentRow } from '../database/tables/documents.js';
import type { StoredPages } from '../database/tables/stored-pages.js';
import type { DatasourceLabel, FoundDatasource } from './datasource-repository.js';

/** Builds the API response of a stored document. */
export function buildDocumentResponse(row: DocumentRow): DocumentResponse {
  const { documentKey, name, source, outcome, code, message, fragments, storedTokens } = row;
  const settledAt = row.settledAt.toISOString();
  const numbers = { fragments, storedTokens };
  return {
    documentKey,
    name,
    source,
    outcome,
    code,
    message,
    ...numbers,
    pages: addDefaultConfidences(row.pages),
    settledAt,
  };
}

/** Adds an empty list of OCR confidences to pages that an earlier version of Quarry stored without the list. */
function addDefaultConfidences(pages: StoredPages | null): DocumentPages | null {
  return pages && { ...pages, confidences: pages.confidences ?? [] };
}

/**
 * Builds the API response of the only document of a datasource, such as a file. Returns undefined for a datasource of
 * many documents.
 */
export function buildSingleDocumentResponse(found: FoundDatasource): DocumentResponse | undefined {
  const { datasource: row, run } = found;
  const key = getSingleDocumentKeys(found);
  if (key === undefined) return undefined;
  const { source_url: address } = row.config;
  return {
    documentKey: key.shown,
    name: row.name,
    source: row.source ?? (typeof address === 'string' ? address : null),
    outcome: determineDocumentOutcome(found),
    code: row.errorCode,
    message: row.errorMessage,
    fragments: row.fragments ?? 0,
    storedTokens: row.storedTokens ?? 0,
    pages: addDefaultConfidences(row.pages),
    settledAt: (isSettledStatus(row.status) ? run?.endedAt?.toISOString() : undefined) ?? null,
  };
}

/**
 * Returns the two keys of the only document of a datasource: its key in the fragment store (`stored`) and the key that
 * the API shows (`shown`). Returns undefined for a datasource of many documents.
 */
export function getSingleDocumentKeys({
  datasource: { type, name, documentKey },
}: {
  readonly datasource: Pick<DatasourceLabel, 'type' | 'name' | 'documentKey'>;
}): { readonly stored: string; readonly shown: string } | undefined {
  if (documentKey === null) return undefined;
  // The crawler indexes a page under its normalized URL.
  if (type === 'web_page') return { stored: normalizeUrl(documentKey), shown: documentKey };
  return { stored: documentKey, shown: name };
}

/**
 * Converts the document key in the fragment store to the key that the API shows.
 *
 * @param stored the document key in the fragment store, where a prefix distinguishes equal keys of different
 * datasources; null if unknown
 */
export function toApiDocumentKey<Key extends string | null>(datasource: DatasourceLabel, stored: Key): string | Key {
  const single = getSingleDocumentKeys({ datasource });
  if (single !== undefined) return single.shown;
  return stored === null ? stored : parseStoredDocumentKey(datasource.id, stored);
}

/**
 * Derives the outcome of the only document of a datasource from the status of the datasource. Returns null while a run
 * is pending or in progress.
 */
function determineDocumentOutcome({ datasource: { status }, run }: FoundDatasource): DocumentOutcome | null {
  if (!isSettledStatus(status)) return null;
  if (status !== 'synched') return 'failed';
  return (run?.counters.unchanged ?? 0) > 0 ? 'unchanged' : 'indexed';
}
