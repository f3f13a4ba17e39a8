import type { Scope } from '@quarry/contracts';
import type { KeyRow } from '../database/tables/api-keys.js';
import { problem } from '../problems.js';

/** The organization, key and permissions of an authenticated request. */
export interface Caller {
  readonly organizationId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** The agents and datastores that a limited key can access. Undefined: all of its organization. */
  readonly limits: KeyLimits | undefined;
}

export interface KeyLimits {
  readonly agentIds: readonly string[];
  readonly datastoreIds: readonly string[];
}

/** Returns the limits of a key. Undefined: the key is not limited. */
export function limitsOf({ agentIds, datastoreIds }: Pick<KeyRow, 'agentIds' | 'datastoreIds'>): KeyLimits | undefined {
  const isLimited = agentIds !== null || datastoreIds !== null;
  return isLimited ? { agentIds: agentIds ?? [], datastoreIds: datastoreIds ?? [] } : undefined;
}

export function canReachAgent({ limits }: Caller, agentId: string): boolean {
  return limits === undefined || limits.agentIds.includes(agentId);
}

export function canReachDatastore({ limits }: Caller, datastoreId: string): boolean {
  return limits === undefined || limits.datastoreIds.includes(datastoreId);
}

/** Refuses a limited key, which could not access what it creates. @throws Problem `key_limited` */
export function refuseLimitedKey({ limits }: Caller): void {
  if (limits !== undefined) {
    throw problem(
      'key_limited',
      'This key is limited to given agents or datastores. It cannot create other ones or manage keys.',
    );
  }
}
