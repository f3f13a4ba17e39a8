import { createHash } from 'node:crypto';
import type { ReasonCode } from '@quarry/contracts';
import type { SafeResponse } from '@quarry/safe-fetch';

/** Describes a page for ingestion: its main content as Markdown, or an unchanged file. */
export interface Page {
  /** The URL that the page was fetched from. */
  readonly source: string;
  /** The title of the page, or the name of the file. */
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
  /** SHA-256 of type, title and content, in base64url. Duplicate pages have equal hashes. */
  readonly contentHash: string;
  /** The canonical URL that the page declares, not normalized. */
  readonly canonical: string | undefined;
  readonly links: readonly string[];
}

/** Explains why a URL has no content to index. */
export interface PageProblem {
  /** `skipped`: because of the page's content, its owner or the crawl settings. `failed`: it could not be fetched or read. */
  readonly outcome: 'skipped' | 'failed';
  /** A stable code, see `ReasonCode`. */
  readonly code: ReasonCode;
  /** Describes the problem for users. */
  readonly message: string;
  /** True if a retry may succeed. */
  readonly transient: boolean;
  /** The `Retry-After` of the server, in milliseconds from now. */
  readonly retryAfterMs?: number;
}

/** Holds the result of visiting a URL once. */
export type Visit =
  | { readonly kind: 'page'; readonly page: Page; readonly validators: Validators }
  /** The page has not changed since its validators were received. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** `links` contains the links of a page that is not indexed but may be followed. */
  | { readonly kind: 'problem'; readonly problem: PageProblem; readonly links: readonly string[] };

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

/** Hashes the type, title and content of a page. Pages with equal hashes are duplicates. @returns SHA-256 in base64url */
export function hashPage(mimeType: string, title: string, bytes: Uint8Array): string {
  return createHash('sha256').update(`${mimeType}\0${title}\0`).update(bytes).digest('base64url');
}
