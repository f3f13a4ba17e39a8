import type { Session } from '@quarry/client';
import { QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createQueryClient } from '../api/create-query-client.js';
import { separateSessions } from './separate-sessions.js';
import { SESSION_KEY } from './use-session.js';

function createSession(organizationId: string, keyId: string, createdAt: string): Session {
  // The function reads no other field.
  return { organization: { id: organizationId }, key: { id: keyId }, session: { createdAt } } as Session;
}

const SESSION = createSession('granite', 'k1', '10:00');

/** Caches a session, a list that a screen shows, and an agent that no screen shows. */
async function openScreenInSession() {
  const queries = createQueryClient();
  const loads: string[] = [];
  queries.setQueryData(SESSION_KEY, SESSION);
  queries.setQueryData(['agent'], 'Support');
  const load = () => `load ${loads.push('load')}`;
  const observer = new QueryObserver(queries, { queryKey: ['datastores'], queryFn: load });
  onTestFinished(observer.subscribe(() => undefined));
  await observer.refetch({ cancelRefetch: false });
  return { queries, loads, read: () => [queries.getQueryData(['datastores']), queries.getQueryData(['agent'])] };
}

describe('the session of the browser', () => {
  it('a session of another organization removes all cached data of the previous organization', async () => {
    const { queries, read } = await openScreenInSession();
    separateSessions(queries, createSession('basalt', 'k2', '11:00'));
    expect(read()).toEqual([undefined, undefined]);
    expect(queries.getQueryData(SESSION_KEY)).toBe(SESSION);
  });

  it('a session of another key of the same organization removes data that no screen shows, and reloads shown data', async () => {
    const { queries, read } = await openScreenInSession();
    separateSessions(queries, createSession('granite', 'k2', '11:00'));
    expect(read()).toEqual(['load 1', undefined]);
    await expect.poll(read).toEqual(['load 2', undefined]);
  });

  it('a new session of the same key keeps the cached data, and reloads shown data', async () => {
    const { queries, read } = await openScreenInSession();
    separateSessions(queries, createSession('granite', 'k1', '11:00'));
    await expect.poll(read).toEqual(['load 2', 'Support']);
  });

  it('the same session reloads nothing', async () => {
    const { queries, loads, read } = await openScreenInSession();
    separateSessions(queries, createSession('granite', 'k1', '10:00'));
    expect(queries.isFetching()).toBe(0);
    expect([loads.length, read()]).toEqual([1, ['load 1', 'Support']]);
  });
});
