import type { QuarryClient } from '@quarry/client';
import { createContext, use } from 'react';

const ClientContext = createContext<QuarryClient | undefined>(undefined);

/** Provides the client of the API to all screens. */
export const ClientProvider = ClientContext;

/** Returns the client of the API. Its requests contain the session cookie. */
export function useClient(): QuarryClient {
  const client = use(ClientContext);
  if (client === undefined)
    throw new Error('expected a ClientProvider around the component that calls useClient, found none');
  return client;
}
