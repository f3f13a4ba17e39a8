/**
 * What a key may do: `query` asks agents and datastores, `ingest` fills datastores, `manage` makes and changes what there is,
 * `operate` makes organizations.
 */
export const SCOPES = ['query', 'ingest', 'manage', 'operate'] as const;
export type Scope = (typeof SCOPES)[number];

/** What the first key of an organization may do: everything inside it. */
export const TENANT_SCOPES = ['query', 'ingest', 'manage'] as const satisfies readonly Scope[];
