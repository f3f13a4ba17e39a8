import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { TextDecoder } from 'node:util';
import type { Redirect } from './redirects.js';

/** Header fields by lower-case name; a repeated field's values are joined by `, `. */
export type ResponseHeaders = ReadonlyMap<string, string>;

export interface ResponseParts {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly url: string;
  readonly redirects: readonly Redirect[];
  readonly remoteAddress: string;
  readonly body: Readable;
}

/** How much of an unwanted body is read to keep its connection; a longer one costs more than a new connection. */
const WORTH_READING = 64 * 1024;

/** An answer, whatever its status. Its body is still on the way: read it, or `discard` it, so that its connection is free again. */
export class SafeResponse {
  readonly status: number;
  /** As received: `content-encoding` and `content-length` describe the body as it travelled. */
  readonly headers: ResponseHeaders;
  /** The final address, after all redirects, without a fragment. */
  readonly url: string;
  /** The way there, in order. */
  readonly redirects: readonly Redirect[];
  /** The IP address that answered. */
  readonly remoteAddress: string;
  /** Decompressed bytes. Fails with FetchRefused `too_large` or a FetchFailed; leaving it early closes the connection. */
  readonly body: Readable;

  constructor(parts: ResponseParts) {
    this.status = parts.status;
    this.headers = parts.headers;
    this.url = parts.url;
    this.redirects = parts.redirects;
    this.remoteAddress = parts.remoteAddress;
    this.body = parts.body;
  }

  /** The whole body. Throws what the body fails with. */
  async bytes(): Promise<Uint8Array> {
    return buffer(this.body);
  }

  /** The whole body as text, in the charset of `Content-Type`, else UTF-8. Bytes that do not fit become U+FFFD. */
  async text(): Promise<string> {
    return decoderFor(this.headers.get('content-type')).decode(await this.bytes());
  }

  /** The whole body, read as JSON: `unknown` until it is validated. Throws SyntaxError when it is not JSON. */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** Ends the interest in the body: a short one is read to its end, a long one is cut off with its connection. Never throws. */
  async discard(): Promise<void> {
    let read = 0;
    try {
      for await (const chunk of this.body as AsyncIterable<Buffer>) {
        read += chunk.length;
        if (read > WORTH_READING) break;
      }
    } catch {
      // Whatever ended it, it has ended.
    }
  }
}

function decoderFor(contentType: string | undefined): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder('utf-8');
  }
}
