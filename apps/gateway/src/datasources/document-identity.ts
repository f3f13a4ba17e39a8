import { createHash } from 'node:crypto';

/** Identifies a document in its datastore. A document with an equal identity replaces the earlier one. */
export type DocumentIdentity =
  | { readonly kind: 'document'; readonly id: string }
  | { readonly kind: 'document'; readonly source: string }
  | { readonly kind: 'document' | 'file'; readonly customId: string | null; readonly name: string }
  | { readonly kind: 'document'; readonly customId: string | null; readonly textHash: string };

export interface UpsertedIdentity {
  readonly id: string | null;
  readonly source: string | null;
  readonly customId: string | null;
  readonly name: string | null;
  readonly text: string;
}

/**
 * Returns the identity of an upserted text: its id, else its source, else its custom id and name, else its custom id and text. A
 * custom id alone identifies no document, because it names a group, such as all documents of a tenant.
 */
export function identifyUpsert({ id, source, customId, name, text }: UpsertedIdentity): DocumentIdentity {
  if (id !== null) return { kind: 'document', id };
  if (source !== null) return { kind: 'document', source };
  if (name !== null) return { kind: 'document', customId, name };
  return { kind: 'document', customId, textHash: sha256(text) };
}

export function identifyFile(customId: string | null, name: string): DocumentIdentity {
  return { kind: 'file', customId, name };
}

/** Returns a key of 43 characters that is equal for equal identities and for no others. */
export function identityKey(identity: DocumentIdentity): string {
  return sha256(JSON.stringify(Object.entries(identity).sort()));
}

/** Describes an identity for people, such as `the id "7"`. */
export function describeIdentity(identity: DocumentIdentity): string {
  if ('id' in identity) return `the id ${JSON.stringify(identity.id)}`;
  if ('source' in identity) return `the source ${JSON.stringify(identity.source)} and no id`;
  const group = identity.customId === null ? 'no custom id' : `the custom id ${JSON.stringify(identity.customId)}`;
  if ('name' in identity) return `${group}, the name ${JSON.stringify(identity.name)}, no id and no source`;
  return `${group}, the same text, no id, no source and no name`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
