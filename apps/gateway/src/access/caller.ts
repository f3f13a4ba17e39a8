import type { Scope } from '@quarry/contracts';
import type { KeyRow } from '../database/tables/api-keys.js';
import { problem } from '../problems.js';

/** Who asks: what the key of a request stands for. */
export interface Caller {
  readonly organizationId: string;
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  /** What a limited key reaches; undefined: everything of its organization. */
  readonly limits: KeyLimits | undefined;
}

export interface KeyLimits {
  readonly agentIds: readonly string[];
  readonly datastoreIds: readonly string[];
}

/** @returns undefined: the key is not limited */
export function limitsOf({ agentIds, datastoreIds }: Pick<KeyRow, 'agentIds' | 'datastoreIds'>): KeyLimits | undefined {
  const isLimited = agentIds !== null || datastoreIds !== null;
  return isLimited ? { agentIds: agentIds ?? [], datastoreIds: datastoreIds ?? [] } : undefined;
}

export function mayReachAgent({ limits }: Caller, agentId: string): boolean {
  return limits === undefined || limits.agentIds.includes(agentId);
}

export function mayReachDatastore({ limits }: Caller, datastoreId: string): boolean {
  return limits === undefined || limits.datastoreIds.includes(datastoreId);
}

/** What a limited key makes would be out of its own reach. @throws Problem `key_limited` */
export function refuseLimitedKey({ limits }: Caller): void {
  if (limits !== undefined) {
    throw problem(
      'key_limited',
      'This key is limited to given agents or datastores, makes no others, and manages no keys.',
    );
  }
}
