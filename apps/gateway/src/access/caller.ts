import type { Compatibility, Scope } from '@quarry/contracts';
import type { KeyRow } from '../database/tables/api-keys.js';
import type { sessions } from '../database/tables/sessions.js';
import { problem } from '../problems.js';

/** The organization, key and permissions of an authenticated request. */
export interface Caller {
  readonly organizationId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /**
   * The agents and datastores that a limited key can access. Undefined: the key can access all agents and datastores of
   * its organization.
   */
  readonly limits: KeyLimits | undefined;
  /**
   * The API whose response format this key uses. Absent: the format of Quarry. Sessions always use the format of
   * Quarry.
   */
  readonly compatibility?: Compatibility;
  /** The stored session of the browser that sent the request. Absent: the request has an API key. */
  readonly session?: typeof sessions.$inferSelect;
}

/** Contains the ids of the agents and datastores to which a limited key has access. */
export interface KeyLimits {
  readonly agentIds: readonly string[];
  readonly datastoreIds: readonly string[];
}

/** Returns the agents and datastores to which a key is limited, or undefined for a key without limits. */
export function getKeyLimits({
  agentIds,
  datastoreIds,
}: Pick<KeyRow, 'agentIds' | 'datastoreIds'>): KeyLimits | undefined {
  const isLimited = agentIds !== null || datastoreIds !== null;
  return isLimited ? { agentIds: agentIds ?? [], datastoreIds: datastoreIds ?? [] } : undefined;
}

/** Returns true if the caller's key has no limits, or if its limits contain the agent. */
export function canAccessAgent({ limits }: Caller, agentId: string): boolean {
  return limits === undefined || limits.agentIds.includes(agentId);
}

/** Returns true if the caller's key has no limits, or if its limits contain the datastore. */
export function canAccessDatastore({ limits }: Caller, datastoreId: string): boolean {
  return limits === undefined || limits.datastoreIds.includes(datastoreId);
}

/**
 * Refuses a caller whose key is limited to certain agents or datastores, because such a key could not access a resource
 * that it creates.
 *
 * @throws Problem 403
 */
export function requireUnrestrictedKey({ limits }: Caller): void {
  if (limits !== undefined) {
    throw problem(
      'key_limited',
      'This key is limited to given agents or datastores. It cannot create agents or datastores, and it cannot manage keys.',
    );
  }
}
