import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { TextDecoder } from 'node:util';
import type { Redirect } from './redirects.js';

/** Maps header names in lower case to values. The values of a repeated header are joined by `, `. */
export type ResponseHeaders = ReadonlyMap<string, string>;

export interface ResponseParts {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly url: string;
  readonly redirects: readonly Redirect[];
  readonly remoteAddress: string;
  readonly body: Readable;
}

/**
 * Maximum size, in bytes, of a discarded body that is read to its end, so that the connection can be reused. Reading a
 * larger body takes longer than opening a new connection.
 */
const MAX_DISCARDED_BYTES = 64 * 1024;

/** Describes a response with any status. To release the connection, read the body or call `discard`. */
export class SafeResponse {
  readonly status: number;
  /** Holds the headers as received: `content-encoding` and `content-length` describe the body before decompression. */
  readonly headers: ResponseHeaders;
  /** Holds the final URL after all redirects, without a fragment. */
  readonly url: string;
  /** Lists the followed redirects in order. */
  readonly redirects: readonly Redirect[];
  /** Holds the IP address of the server that sent the response. */
  readonly remoteAddress: string;
  /**
   * Streams the decompressed bytes of the body. Reading fails with FetchRefused `too_large` or a FetchFailed. Leaving
   * the iteration early closes the connection.
   */
  readonly body: Readable;

  constructor(parts: ResponseParts) {
    this.status = parts.status;
    this.headers = parts.headers;
    this.url = parts.url;
    this.redirects = parts.redirects;
    this.remoteAddress = parts.remoteAddress;
    this.body = parts.body;
  }

  /** Reads the whole body. @throws the error with which reading the body fails */
  async bytes(): Promise<Uint8Array> {
    return buffer(this.body);
  }

  /** Reads the whole body as text, in the charset of `Content-Type` or UTF-8. Invalid bytes become U+FFFD. */
  async text(): Promise<string> {
    return createTextDecoder(this.headers.get('content-type')).decode(await this.bytes());
  }

  /**
   * Reads at most `maxBytes` bytes from the beginning of the body, and discards the rest. Never throws: if reading the
   * body fails, returns the bytes before the error.
   */
  async readStart(maxBytes: number): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    let read = 0;
    try {
      for await (const chunk of this.body as AsyncIterable<Buffer>) {
        if (read < maxBytes) chunks.push(chunk.subarray(0, maxBytes - read));
        read += chunk.length;
        if (read > Math.max(maxBytes, MAX_DISCARDED_BYTES)) break;
      }
    } catch {
      // The error is irrelevant, because the rest of the body is not needed.
    }
    return Buffer.concat(chunks);
  }

  /** Discards the body. Reads a short body to its end, but closes the connection of a long body. Never throws. */
  async discard(): Promise<void> {
    await this.readStart(0);
  }
}

function createTextDecoder(contentType: string | undefined): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder('utf-8');
  }
}
