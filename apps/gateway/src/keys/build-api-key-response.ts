import type { ApiKeyResponse } from '@quarry/contracts';
import type { KeyRow } from '../database/tables/api-keys.js';
import { getKeyLimits } from '../access/caller.js';

/** Builds the API response of a stored API key, without its hash. */
export function buildApiKeyResponse(row: KeyRow): ApiKeyResponse {
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: row.scopes,
    limits: getKeyLimits(row) ?? null,
    root: row.root,
    compatibility: row.compatibility,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
