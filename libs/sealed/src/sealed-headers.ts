import { SealBroken, type Sealing } from './sealing.js';

/** Request headers by name. */
export type Headers = Readonly<Record<string, string>>;

/** Whose headers they are: sealed for one datasource, they open for no other. */
export interface HeadersOwner {
  readonly organizationId: string;
  readonly datasourceId: string;
}

/** Seals the headers that a customer configured for the requests to its own server. */
export function sealHeaders(sealing: Pick<Sealing, 'seal'>, owner: HeadersOwner, headers: Headers): string {
  return sealing.seal(JSON.stringify(headers), nameOf(owner));
}

/** @throws SealBroken when these are not that datasource's headers */
export function openHeaders(sealing: Pick<Sealing, 'open'>, owner: HeadersOwner, sealed: string): Headers {
  const headers: unknown = JSON.parse(sealing.open(sealed, nameOf(owner)));
  if (!areHeaders(headers)) throw new SealBroken('it holds no headers');
  return headers;
}

function nameOf({ organizationId, datasourceId }: HeadersOwner): string {
  return `headers/${organizationId}/${datasourceId}`;
}

function areHeaders(value: unknown): value is Headers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}
