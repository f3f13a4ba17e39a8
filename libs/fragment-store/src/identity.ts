import { v5 as uuidV5 } from 'uuid';
import type { DocumentRef, DocumentVersion, StoredDocument } from './fragment-store.js';

const NAMESPACE = '5d0c3f0e-8f3b-5c7e-9d6a-2b1f4e7a9c31';

/**
 * Returns a document id that is unique among all organizations: a UUIDv5 (RFC 9562) of organization, datastore and
 * document key.
 */
export function computeDocumentId(
  document: Pick<DocumentRef, 'organizationId' | 'datastoreId' | 'documentKey'>,
): string {
  return uuidV5(JSON.stringify([document.organizationId, document.datastoreId, document.documentKey]), NAMESPACE);
}

type VersionRef = Pick<
  DocumentVersion,
  'organizationId' | 'datastoreId' | 'documentKey' | 'generation' | 'contentHash'
>;

/**
 * Returns the id of a document version. It depends on the content, because a repeated run may read changed content in
 * the same generation.
 */
export function computeVersionId(version: VersionRef): string {
  return uuidV5(JSON.stringify([version.generation, version.contentHash]), computeDocumentId(version));
}

/**
 * Returns the id of the fragment of a document version with the given ordinal. Fragments of different versions never
 * share an id, even at the same ordinal.
 */
export function computeFragmentId(version: VersionRef, ordinal: number): string {
  return computeFragmentIdOfVersion(computeVersionId(version), ordinal);
}

/** Returns the id of a fragment. @param version the id of the document version, as `computeVersionId` returns it */
export function computeFragmentIdOfVersion(version: string, ordinal: number): string {
  return uuidV5(String(ordinal), version);
}

/**
 * Returns true if `version` wrote the stored content. Returns false if another version wrote the stored content, even
 * if the run of `version` confirmed it.
 */
export function hasContentOfVersion({ firstFragmentId }: StoredDocument, version: VersionRef): boolean {
  return firstFragmentId === computeFragmentId(version, 0);
}
