import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** A sitemap may have 50 MB (sitemaps.org); more than twice that is no sitemap. */
const MAX_BYTES = 100 * 1024 * 1024;

/** A sitemap cannot be read. The message says why, for people. */
export class SitemapUnreadable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SitemapUnreadable';
  }
}

/**
 * The text of a sitemap, piece by piece: unpacked where it is gzip, whatever its name and headers say, and decoded.
 *
 * @throws SitemapUnreadable from the stream when it is broken gzip or larger than any sitemap
 */
export async function* sitemapText(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  let size = 0;
  for await (const chunk of unpacked(body)) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new SitemapUnreadable(`expected at most ${MAX_BYTES} bytes, found more`);
    decoder ??= decoderFor(chunk);
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder !== undefined) yield decoder.decode();
}

async function* unpacked(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const all = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  yield* isGzip(first.value) ? gunzipped(all()) : all();
}

async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = new Watched(chunks);
  try {
    yield* pipeline(source.chunks(), createGunzip(), () => undefined) as AsyncIterable<Uint8Array>; // a gunzip gives buffers
  } catch (cause) {
    if (source.broke) throw cause;
    throw new SitemapUnreadable('expected a gzip file, found a broken one', { cause });
  }
}

/** Remembers whether it was the source that broke, not what was made of it. */
class Watched {
  broke = false;
  readonly #chunks: AsyncIterable<Uint8Array>;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#chunks;
    } catch (error) {
      this.broke = true;
      throw error;
    }
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function decoderFor(start: Uint8Array): TextDecoder {
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder('utf-16be');
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder('utf-16le');
  const declared = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/i.exec(
    Buffer.from(start.subarray(0, 200)).toString('latin1'),
  );
  try {
    return new TextDecoder(declared?.[1] ?? 'utf-8');
  } catch {
    return new TextDecoder();
  }
}
