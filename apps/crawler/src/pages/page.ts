import type { ReasonCode } from '@quarry/contracts';
/** What is handed to ingestion of one page: its main content as Markdown, or a file as it is. */
export interface Page {
  /** The address that it was fetched from. */
  readonly source: string;
  /** Its title or file name. */
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Uint8Array;
  readonly metadata: Readonly<Record<string, string>>;
  /** SHA-256 of what readers see, in base64url: the same for the same page at another address. */
  readonly contentHash: string;
  /** The address that the page itself chooses, as it writes it; undefined when it makes no choice. */
  readonly canonical: string | undefined;
  readonly links: readonly string[];
}

/** Why an address gives nothing to index. */
export interface PageProblem {
  /** `skipped`: that is how the page is, or what its owner wants. `failed`: the page could not be had or read. */
  readonly outcome: 'skipped' | 'failed';
  /** Stable and documented in `problems.ts`. */
  readonly code: ReasonCode;
  /** The same for people. */
  readonly message: string;
  /** Whether asking again later may help. */
  readonly passing: boolean;
  /** When the server wants to be asked again, in milliseconds from now. */
  readonly retryAfterMs?: number;
}

/** What the server gave to recognise a page by, for the next request (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** What came of asking for an address once. */
export type Visit =
  | { readonly kind: 'page'; readonly page: Page; readonly validators: Validators }
  /** The page is as it was when it was given its validators. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** `links` are those of a page that is not to be indexed but may be followed. */
  | { readonly kind: 'problem'; readonly problem: PageProblem; readonly links: readonly string[] };
