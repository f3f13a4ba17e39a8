import type { SafeResponse } from '@quarry/safe-fetch';
import type { PoliteClient } from '../politeness/polite-client.js';
import type { Renderer } from '../rendering/renderer.js';
import type { HtmlReader } from './html/html-reader.js';

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

/** Maximum number of stored redirects. */
const MAX_REDIRECTS = 20_000;

/**
 * Stores the redirects that runs have found, in memory. A job that returns to its queue in the middle of a chain of redirects
 * continues with the last one, instead of requesting the chain again.
 */
export class RedirectMemory {
  readonly #targets = new Map<string, string>();

  find(runId: string, url: string): string | undefined {
    return this.#targets.get(`${runId} ${url}`);
  }

  add(runId: string, url: string, to: string): void {
    if (this.#targets.size >= MAX_REDIRECTS) this.#targets.delete(this.#targets.keys().next().value ?? '');
    this.#targets.set(`${runId} ${url}`, to);
  }
}
