import { crc32, deflateSync } from 'node:zlib';

/** Describes pixels with 1 byte (grey) or 3 bytes (red, green, blue) each, row by row from the top, without padding. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly samples: Uint8Array;
}

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const BIT_DEPTH = 8;
const GREYSCALE = 0;
const TRUECOLOR = 2;
/**
 * Number of the PNG filter `Up`, which replaces each byte by its difference from the byte above. Blank and repeated
 * rows become zeros.
 */
const FILTER_UP = 2;

/** Encodes an image as PNG. Source: PNG specification, third edition, sections 5, 9 and 11. */
export function encodePng({ width, height, channels, samples }: Pixels): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(BIT_DEPTH, 8);
  header.writeUInt8(channels === 1 ? GREYSCALE : TRUECOLOR, 9);
  const data = deflateSync(filterPngRows(samples, width * channels, height));
  return Buffer.concat([
    SIGNATURE,
    createPngChunk('IHDR', header),
    createPngChunk('IDAT', data),
    createPngChunk('IEND'),
  ]);
}

function filterPngRows(samples: Uint8Array, rowBytes: number, height: number): Uint8Array {
  const filtered = new Uint8Array((rowBytes + 1) * height);
  for (let row = 0; row < height; row += 1) {
    const from = row * rowBytes;
    const to = row * (rowBytes + 1) + 1;
    filtered[to - 1] = FILTER_UP;
    for (let at = 0; at < rowBytes; at += 1) {
      filtered[to + at] = (samples[from + at] ?? 0) - (samples[from - rowBytes + at] ?? 0);
    }
  }
  return filtered;
}

function createPngChunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), chunk.length - 4);
  return chunk;
}
