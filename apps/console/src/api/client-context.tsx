import type { QuarryClient } from '@quarry/client';
import { createContext, use } from 'react';

const ClientContext = createContext<QuarryClient | undefined>(undefined);

/** React context provider of the client of the Quarry API, which all screens use. */
export const ClientProvider = ClientContext;

/** Returns the client of the Quarry API. The browser adds the session cookie to its requests. */
export function useClient(): QuarryClient {
  const client = use(ClientContext);
  if (client === undefined)
    throw new Error('expected a ClientProvider around the component that calls useClient, found none');
  return client;
}
