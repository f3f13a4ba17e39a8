import { inflateSync } from 'node:zlib';

/** Holds a decoded PNG image. */
export interface DecodedPng {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Returns the samples of a pixel: one sample (grey) or three (red, green, blue). */
  readonly getPixel: (left: number, top: number) => readonly number[];
}

const CHUNKS_START = 8;
const TRUECOLOR = 2;

/** Decodes a PNG image with 8 bits per sample, one data chunk and the filter `Up`, as Quarry creates them. */
export function decodePng(png: Uint8Array): DecodedPng {
  const file = Buffer.from(png);
  if (file.subarray(1, 4).toString('latin1') !== 'PNG') throw new Error('expected a PNG image, found other bytes');
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const channels = file.readUInt8(25) === TRUECOLOR ? 3 : 1;
  const rows = inflateSync(findCompressedData(file));
  const rowBytes = width * channels;
  const samples = new Uint8Array(rowBytes * height);
  for (let at = 0; at < samples.length; at += 1) {
    const row = Math.floor(at / rowBytes);
    samples[at] = (rows[at + row + 1] ?? 0) + (samples[at - rowBytes] ?? 0);
  }
  return {
    ...{ width, height, channels },
    getPixel: (left, top) => {
      const start = (top * width + left) * channels;
      return [...samples.subarray(start, start + channels)];
    },
  };
}

function findCompressedData(file: Buffer): Buffer {
  for (let at = CHUNKS_START; at < file.length;) {
    const length = file.readUInt32BE(at);
    if (file.subarray(at + 4, at + 8).toString('latin1') === 'IDAT') return file.subarray(at + 8, at + 8 + length);
    at += length + 12;
  }
  throw new Error('expected a chunk `IDAT` in the PNG image, found none');
}
