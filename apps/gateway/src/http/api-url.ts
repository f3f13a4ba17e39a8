import type { Request } from 'express';
import type { Gateway } from '../gateway.js';

/** The address that is used when the header `Host` of a request is missing or invalid. */
const FALLBACK_ORIGIN = 'http://localhost';

/** The base path of the API in the public addresses that responses contain, including the responses of `/v1`. */
const API_PATH = '/api';

/**
 * Returns the public address of the API, such as `https://quarry.example.com/api`. Without `QUARRY_PUBLIC_URL`, it is
 * the address to which the client sent the request. Express reads this address from `X-Forwarded-Proto` and
 * `X-Forwarded-Host` of trusted proxies.
 */
export function buildApiUrl(gateway: Pick<Gateway, 'publicUrl'>, request: Request): string {
  return `${buildPublicUrl(gateway, request)}${API_PATH}`;
}

/** Returns the public address of the gateway, such as `https://quarry.example.com`. See `buildApiUrl`. */
export function buildPublicUrl({ publicUrl }: Pick<Gateway, 'publicUrl'>, request: Request): string {
  return publicUrl ?? parseOrigin(request);
}

function parseOrigin({ protocol, host }: { readonly protocol: string; readonly host: string | undefined }): string {
  const address = host === undefined ? undefined : URL.parse(`${protocol}://${host}`);
  const isOrigin = address?.pathname === '/' && address.search === '' && address.username === '';
  return isOrigin && /^https?:$/.test(address.protocol) ? address.origin : FALLBACK_ORIGIN;
}
