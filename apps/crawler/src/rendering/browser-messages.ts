import type { PageToRender } from './renderer.js';
import type { Resource } from './resource-fetcher.js';

/** Describes the messages to a browser process: a page to render, and responses to its requests. */
export type BrowserRequest =
  | { readonly type: 'render'; readonly page: PageToRender }
  | { readonly type: 'resource'; readonly id: number; readonly resource: Resource | undefined };

/** Describes a request for a script or data that the crawler sends for a page. */
export interface ResourceRequest {
  readonly type: 'fetch';
  readonly id: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Describes the messages of a browser process. `started` or `failed` comes first. Each `render` is answered by `rendered`
 * or `failed`.
 */
export type BrowserAnswer =
  | ResourceRequest
  | { readonly type: 'started' }
  | { readonly type: 'rendered'; readonly html: string }
  | { readonly type: 'failed'; readonly message: string };
