import type { SafeResponse } from '@quarry/safe-fetch';
import type { PoliteClient } from '../politeness/polite-client.js';
import type { HtmlReader } from './html-reader.js';
import type { Renderer } from '../rendering/renderer.js';

export interface VisitParts {
  readonly client: PoliteClient;
  readonly html: HtmlReader;
  /** Undefined: no scripts are run. */
  readonly renderer: Renderer | undefined;
  readonly productToken: string;
  readonly maxPageBytes: number;
  readonly maxFileBytes: number;
  readonly now: () => number;
}

/** An answer whose body has been read, as far as it is wanted. */
export interface Answer {
  readonly address: string;
  readonly status: number;
  readonly headers: SafeResponse['headers'];
  readonly bytes: Uint8Array;
}
