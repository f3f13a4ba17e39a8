import { TextDecoder } from 'node:util';

const SAMPLE = 4_096;

/**
 * Bytes of unknown encoding to text: by byte order mark, else UTF-16 where its zero bytes show, else UTF-8, else
 * Windows-1252, in which every byte means something. Line ends become `\n`.
 */
export function decodeText(bytes: Uint8Array): string {
  return decoderFor(bytes).decode(bytes).replace(/\r\n?/g, '\n');
}

function decoderFor(bytes: Uint8Array): TextDecoder {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be');
  return withoutMark(bytes) ?? (isUtf8(bytes) ? new TextDecoder('utf-8') : new TextDecoder('windows-1252'));
}

/** In UTF-16 most texts have a zero in every other byte: the first of a pair in big endian, the second in little. */
function withoutMark(bytes: Uint8Array): TextDecoder | undefined {
  const sample = bytes.subarray(0, SAMPLE);
  const pairs = Math.floor(sample.length / 2);
  const zeros = [0, 0];
  for (let index = 0; index < pairs * 2; index += 1)
    if (sample[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [first = 0, second = 0] = zeros;
  if (pairs === 0 || bytes.length % 2 === 1) return undefined;
  if (second > pairs * 0.3 && first < pairs * 0.05) return new TextDecoder('utf-16le');
  if (first > pairs * 0.3 && second < pairs * 0.05) return new TextDecoder('utf-16be');
  return undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
