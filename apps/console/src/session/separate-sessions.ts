import type { Session } from '@quarry/client';
import type { QueryClient, QueryFilters } from '@tanstack/react-query';
import { trimAndRefreshLists } from '../api/long-lists.js';
import { SESSION_KEY } from './use-session.js';

/**
 * Removes the cached data that the next session may not show, and loads the other data again. Does nothing if `next` is
 * the cached session, or if there is none.
 */
export function separateSessions(queries: QueryClient, next: Session): void {
  const before = queries.getQueryData<Session>(SESSION_KEY);
  if (before === undefined || isSameSession(before, next)) return;
  const data: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] };
  // After a change of the organization, no screen may show data of the previous organization.
  if (before.organization.id !== next.organization.id) queries.removeQueries(data);
  // Another key may have access to less data, so cached data that no screen shows is removed. Shown data is loaded again
  // below.
  else if (before.key.id !== next.key.id) queries.removeQueries({ ...data, type: 'inactive' });
  void trimAndRefreshLists(queries, data);
}

function isSameSession(before: Session, next: Session): boolean {
  return before.key.id === next.key.id && before.session?.createdAt === next.session?.createdAt;
}
