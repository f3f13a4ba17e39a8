import type { SafeResponse } from '@quarry/safe-fetch';

/** Holds the validators of a response, for conditional requests (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Reads the validators from response headers. */
export function readValidators(headers: SafeResponse['headers']): Validators {
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}
