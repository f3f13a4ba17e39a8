import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDecoderStages } from './response-body.js';

const PACKERS: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  gzip: (data) => zlib.gzipSync(data),
  'x-gzip': (data) => zlib.gzipSync(data),
  deflate: (data) => zlib.deflateSync(data),
  br: (data) => zlib.brotliCompressSync(data),
  zstd: (data) => zlib.zstdCompressSync(data),
};

async function* splitIntoPieces(data: Buffer, size: number): AsyncIterable<Buffer> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

async function decodePacked(encoding: string | undefined, packed: Buffer, size = 1000): Promise<Buffer> {
  const source = splitIntoPieces(packed, size);
  const chunks: Buffer[] = [];
  for await (const chunk of createDecoderStages(encoding).reduce((chunks, stage) => stage(chunks), source))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

const bytes = fc.uint8Array({ maxLength: 3000 }).map((array) => Buffer.from(array));
const encodings = fc.array(fc.constantFrom(...Object.keys(PACKERS)), { maxLength: 3 });

describe('decompression', () => {
  it('decompression restores the body for all encodings and chunk sizes', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, encodings, fc.integer({ min: 1, max: 4000 }), async (data, names, size) => {
        const packed = names.reduce<Buffer>((inner, name) => PACKERS[name]?.(inner) ?? inner, data);
        expect(await decodePacked(names.join(', '), packed, size)).toEqual(data);
      }),
    );
  });

  it('decompression accepts raw deflate data in the encoding deflate, because some servers send such data', async () => {
    expect((await decodePacked('deflate', zlib.deflateRawSync(Buffer.from('hello')))).toString()).toBe('hello');
  });

  it.each([undefined, '', 'identity', 'none', ' , identity'])(
    'decompression does not change a body with the encoding %j',
    async (encoding) => {
      expect((await decodePacked(encoding, Buffer.from('hello'))).toString()).toBe('hello');
    },
  );

  it.each(Object.keys(PACKERS))('decompression accepts an empty body with the encoding %s', async (encoding) => {
    expect(await decodePacked(encoding, Buffer.alloc(0))).toHaveLength(0);
  });

  it.each(Object.keys(PACKERS))(
    'decompression fails with decompression_failed if the body is not complete, valid %s data',
    async (encoding) => {
      const whole = PACKERS[encoding]?.(Buffer.from('hello '.repeat(1000))) ?? Buffer.alloc(0);
      for (const broken of [Buffer.from('<!doctype html>'), whole.subarray(0, whole.length - 5)]) {
        await expect(decodePacked(encoding, broken)).rejects.toMatchObject({
          code: 'decompression_failed',
          message: `expected a body in the encoding '${encoding}', found invalid data`,
        });
      }
    },
  );

  it.each(['compress', 'utf-8', 'constructor', 'gzip;q=1'])(
    'decompression rejects the unknown encoding %s',
    (encoding) => {
      expect(() => createDecoderStages(encoding)).toThrow(
        `expected a body in one of the encodings gzip, deflate, br, zstd, found '${encoding}'`,
      );
    },
  );

  it('decompression rejects more than three encodings', () => {
    expect(() => createDecoderStages('gzip, gzip, gzip, gzip')).toThrow(
      'expected a body with at most 3 content encodings, found 4',
    );
  });

  it('decompression rejects a zstd window of more than 8 MB', async () => {
    const params = { [zlib.constants.ZSTD_c_windowLog]: 24 };
    const wide = zlib.zstdCompressSync(Buffer.alloc(32 * 1024 * 1024), { params });
    await expect(decodePacked('zstd', wide)).rejects.toMatchObject({ code: 'decompression_failed' });
  });

  it('decompression reports a lost connection as a connection error, not as invalid data', async () => {
    const createSource = async function* (): AsyncIterable<Buffer> {
      yield zlib.gzipSync('hello').subarray(0, 12);
      throw new Error('the connection broke');
    };
    const [gunzip] = createDecoderStages('gzip');
    const readAll = async (): Promise<void> => {
      for await (const chunk of gunzip?.(createSource()) ?? []) expect(chunk).toBeInstanceOf(Buffer);
    };
    await expect(readAll()).rejects.toThrow('the connection broke');
  });
});
