import type { SafeResponse } from '@quarry/safe-fetch';
import type { PoliteClient } from '../politeness/polite-client.js';
import type { HtmlReader } from './html-reader.js';
import type { RedirectMemory } from './redirect-memory.js';
import type { Renderer } from '../rendering/renderer.js';

/** Holds the dependencies and limits for visiting URLs. */
export interface VisitParts {
  readonly client: PoliteClient;
  readonly html: HtmlReader;
  /** Undefined if rendering is not configured. */
  readonly renderer: Renderer | undefined;
  readonly redirects: RedirectMemory;
  readonly productToken: string;
  readonly maxPageBytes: number;
  readonly maxFileBytes: number;
  readonly now: () => number;
}

/** Holds a response with its body. The bytes are empty if the content is not needed. */
export interface PageResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: SafeResponse['headers'];
  readonly bytes: Uint8Array;
}
