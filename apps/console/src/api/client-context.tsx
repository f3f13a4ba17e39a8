import type { QuarryClient } from '@quarry/client';
import { createContext, use } from 'react';

const ClientContext = createContext<QuarryClient | undefined>(undefined);

/** Provides the client of the API to all screens. */
export const ClientProvider = ClientContext;

/** Returns the client of the API. Its requests carry the cookie of the session. */
export function useClient(): QuarryClient {
  const client = use(ClientContext);
  if (client === undefined) throw new Error('useClient needs a ClientProvider around the component');
  return client;
}
