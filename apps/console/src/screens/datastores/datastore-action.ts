import type { Datastore } from '@quarry/client';

/** The dialog that is open, and the datastore it is about. */
export type DatastoreAction =
  { readonly kind: 'create' } | { readonly kind: 'edit' | 'delete'; readonly datastore: Datastore };
