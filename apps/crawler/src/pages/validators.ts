import type { SafeResponse } from '@quarry/safe-fetch';

/** Holds the ETag and the modification date of a response, for conditional requests (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Reads the `ETag` and `Last-Modified` headers of a response. */
export function readValidators(headers: SafeResponse['headers']): Validators {
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}
