import type { SafeResponse } from '@quarry/safe-fetch';
import type { Validators } from './page.js';

export function validatorsOf(headers: SafeResponse['headers']): Validators {
  const etag = headers.get('etag');
  const lastModified = headers.get('last-modified');
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}
