/**
 * What a key may do: `query` asks agents and datastores, `ingest` fills datastores, `manage` makes and changes what there is,
 * `operate` makes tenants.
 */
export const SCOPES = ['query', 'ingest', 'manage', 'operate'] as const;
export type Scope = (typeof SCOPES)[number];
