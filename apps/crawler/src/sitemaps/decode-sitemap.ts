import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { normalizeDeclaredCharset } from '../pages/decode-web-text.js';

/** Maximum decompressed size of a sitemap, in bytes. sitemaps.org allows 50 MB. */
export const MAX_SITEMAP_BYTES = 100 * 1024 * 1024;

/** Reports that a sitemap cannot be read. The message is shown to users. */
export class SitemapUnreadable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SitemapUnreadable';
  }
}

/**
 * Decodes the text of a sitemap in chunks. Detects gzip and the charset from the content, not from the name or the
 * headers.
 *
 * @throws SitemapUnreadable, while the stream is read, if the gzip data is invalid or the sitemap is too large
 */
export async function* decodeSitemap(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let size = 0;
  for await (const chunk of decompressBody(body)) {
    size += chunk.length;
    if (size > MAX_SITEMAP_BYTES)
      throw new SitemapUnreadable(`expected at most ${MAX_SITEMAP_BYTES} bytes, found more`);
    decoder ??= createSitemapTextDecoder(chunk);
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder !== undefined) yield decoder.decode();
}

async function* decompressBody(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const prependFirst = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  yield* isGzipData(first.value) ? decompressGzip(prependFirst()) : prependFirst();
}

async function* decompressGzip(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = new TrackedSource(chunks);
  try {
    yield* pipeline(source.readChunks(), createGunzip(), () => undefined) as AsyncIterable<Uint8Array>; // a gunzip stream yields buffers
  } catch (cause) {
    if (source.failed) throw cause;
    throw new SitemapUnreadable('expected a gzip file, found invalid data', { cause });
  }
}

/**
 * Reads the compressed bytes of a sitemap and records whether reading them failed, to distinguish a failed read from
 * invalid gzip data.
 */
class TrackedSource {
  failed = false;
  readonly #chunks: AsyncIterable<Uint8Array>;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks;
  }

  async *readChunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#chunks;
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }
}

function isGzipData(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function createSitemapTextDecoder(start: Uint8Array): TextDecoder {
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be');
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le');
  const declared = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/i.exec(
    Buffer.from(start.subarray(0, 200)).toString('latin1'),
  );
  return new TextDecoder(normalizeDeclaredCharset(declared?.[1]));
}
