/**
 * Lists the scopes of API keys. `query`: query agents and datastores. `ingest`: fill datastores. `manage`: create and
 * change resources. `operate`: manage organizations, model connections and the installation.
 */
export const SCOPES = ['query', 'ingest', 'manage', 'operate'] as const;
export type Scope = (typeof SCOPES)[number];

/** Lists the scopes of the first key of an organization, which give full access to that organization. */
export const TENANT_SCOPES = ['query', 'ingest', 'manage'] as const satisfies readonly Scope[];
