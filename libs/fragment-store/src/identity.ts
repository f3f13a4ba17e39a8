import { v5 as uuidV5 } from 'uuid';
import type { DocumentRef, DocumentVersion, StoredDocument } from './fragment-store.js';

const NAMESPACE = '5d0c3f0e-8f3b-5c7e-9d6a-2b1f4e7a9c31';

/** Names a document among all tenants' documents: UUIDv5 (RFC 9562) of organization, datastore and document key. */
export function documentId(document: Pick<DocumentRef, 'organizationId' | 'datastoreId' | 'documentKey'>): string {
  return uuidV5(JSON.stringify([document.organizationId, document.datastoreId, document.documentKey]), NAMESPACE);
}

type VersionRef = Pick<
  DocumentVersion,
  'organizationId' | 'datastoreId' | 'documentKey' | 'generation' | 'contentHash'
>;

/** Names one state of a document. A run that is repeated and reads other content makes another version of its generation. */
export function versionId(version: VersionRef): string {
  return uuidV5(JSON.stringify([version.generation, version.contentHash]), documentId(version));
}

/** Names a fragment of one version: a fragment of another version never has its id, even at the same ordinal. */
export function fragmentId(version: VersionRef, ordinal: number): string {
  return fragmentIdIn(versionId(version), ordinal);
}

/** @param version as `versionId` returns it */
export function fragmentIdIn(version: string, ordinal: number): string {
  return uuidV5(String(ordinal), version);
}

/** Returns whether a generation wrote what is stored, and did not only confirm what an older one wrote. */
export function isWrittenBy({ firstFragmentId }: StoredDocument, version: VersionRef): boolean {
  return firstFragmentId === fragmentId(version, 0);
}
