import type { Datastore } from '@quarry/client';

/** The open dialog, and its datastore. */
export type DatastoreAction =
  { readonly kind: 'create' } | { readonly kind: 'edit' | 'delete'; readonly datastore: Datastore };
