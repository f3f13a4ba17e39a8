import type { ReasonCode } from '@quarry/contracts';
import type { Validators } from './validators.js';

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
