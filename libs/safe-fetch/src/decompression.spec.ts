import zlib from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decompression } from './decompression.js';

const PACKERS: Readonly<Record<string, (data: Buffer) => Buffer>> = {
  gzip: (data) => zlib.gzipSync(data),
  'x-gzip': (data) => zlib.gzipSync(data),
  deflate: (data) => zlib.deflateSync(data),
  br: (data) => zlib.brotliCompressSync(data),
  zstd: (data) => zlib.zstdCompressSync(data),
};

async function* inPieces(data: Buffer, size: number): AsyncIterable<Buffer> {
  for (let at = 0; at < data.length; at += size) yield data.subarray(at, at + size);
}

async function unpack(encoding: string | undefined, packed: Buffer, size = 1000): Promise<Buffer> {
  const source = inPieces(packed, size);
  const chunks: Buffer[] = [];
  for await (const chunk of decompression(encoding).reduce((chunks, stage) => stage(chunks), source))
    chunks.push(chunk);
  return Buffer.concat(chunks);
}

const bytes = fc.uint8Array({ maxLength: 3000 }).map((array) => Buffer.from(array));
const encodings = fc.array(fc.constantFrom(...Object.keys(PACKERS)), { maxLength: 3 });

describe('a body', () => {
  it('comes out as it went in, whatever it was packed with, in whatever pieces it arrives', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, encodings, fc.integer({ min: 1, max: 4000 }), async (data, names, size) => {
        const packed = names.reduce<Buffer>((inner, name) => PACKERS[name]?.(inner) ?? inner, data);
        expect(await unpack(names.join(', '), packed, size)).toEqual(data);
      }),
    );
  });

  it('in bare deflate, as some servers send it, is understood', async () => {
    expect((await unpack('deflate', zlib.deflateRawSync(Buffer.from('hello')))).toString()).toBe('hello');
  });

  it.each([undefined, '', 'identity', 'none', ' , identity'])(
    'with the encoding %j is left alone',
    async (encoding) => {
      expect((await unpack(encoding, Buffer.from('hello'))).toString()).toBe('hello');
    },
  );

  it.each(Object.keys(PACKERS))('that is empty is not a broken %s', async (encoding) => {
    expect(await unpack(encoding, Buffer.alloc(0))).toHaveLength(0);
  });

  it.each(Object.keys(PACKERS))(
    'that is not %s, or not all of it, fails with decompression_failed',
    async (encoding) => {
      const whole = PACKERS[encoding]?.(Buffer.from('hello '.repeat(1000))) ?? Buffer.alloc(0);
      for (const broken of [Buffer.from('<!doctype html>'), whole.subarray(0, whole.length - 5)]) {
        await expect(unpack(encoding, broken)).rejects.toMatchObject({
          code: 'decompression_failed',
          message: `expected a body in the encoding '${encoding}', found a broken one`,
        });
      }
    },
  );

  it.each(['compress', 'utf-8', 'constructor', 'gzip;q=1'])('in the unknown encoding %s is refused', (encoding) => {
    expect(() => decompression(encoding)).toThrow(
      `expected one of the encodings gzip, deflate, br, zstd, found '${encoding}'`,
    );
  });

  it('packed more than three times is refused', () => {
    expect(() => decompression('gzip, gzip, gzip, gzip')).toThrow('expected at most 3 encodings, found 4');
  });

  it('in zstd may not ask for a window of more than 8 MB', async () => {
    const params = { [zlib.constants.ZSTD_c_windowLog]: 24 };
    const wide = zlib.zstdCompressSync(Buffer.alloc(32 * 1024 * 1024), { params });
    await expect(unpack('zstd', wide)).rejects.toMatchObject({ code: 'decompression_failed' });
  });

  it('that is lost on the way fails with the loss, not with its encoding', async () => {
    const source = async function* (): AsyncIterable<Buffer> {
      yield zlib.gzipSync('hello').subarray(0, 12);
      throw new Error('the connection broke');
    };
    const [gunzip] = decompression('gzip');
    const reading = async (): Promise<void> => {
      for await (const chunk of gunzip?.(source()) ?? []) expect(chunk).toBeInstanceOf(Buffer);
    };
    await expect(reading()).rejects.toThrow('the connection broke');
  });
});
