import type { Datastore } from '@quarry/client';

/** The kind of the open dialog of the datastore list, and the datastore that the dialog edits or deletes. */
export type DatastoreAction =
  { readonly kind: 'create' } | { readonly kind: 'edit' | 'delete'; readonly datastore: Datastore };
