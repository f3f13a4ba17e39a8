import { unzipSync } from 'fflate';
import { ReadingFailed } from '../reader.js';

const MAX_ENTRIES = 20_000;
const MEBIBYTE = 1_048_576;
/**
 * Maximum unpacked size of all text parts together, in bytes, as the archive declares it. If the declared size is
 * wrong, the limits of the reader process apply.
 */
const MAX_UNPACKED = 200 * MEBIBYTE;
const TEXT_PART = /\.(?:xml|rels|vml)$/i;

/**
 * Checks the number and sizes of the files in the zip archive of an office file, before the archive is unpacked.
 *
 * @throws ReadingFailed if the archive is damaged or exceeds a limit
 */
function requireSafeArchive(bytes: Uint8Array): void {
  let entries = 0;
  let unpacked = 0;
  unzipEntries(bytes, ({ name, originalSize }) => {
    entries += 1;
    if (TEXT_PART.test(name)) unpacked += originalSize;
    return false;
  });
  if (entries > MAX_ENTRIES) {
    throw new ReadingFailed('file_too_large', `The file has ${entries} parts; the limit is ${MAX_ENTRIES}.`);
  }
  if (unpacked > MAX_UNPACKED) {
    const found = Math.ceil(unpacked / MEBIBYTE);
    throw new ReadingFailed(
      'file_too_large',
      `Unpacked, the file has ${found} MB of text; the limit is ${MAX_UNPACKED / MEBIBYTE} MB.`,
    );
  }
}

/**
 * Unpacks the text parts of an office file. Returns a map from normalized part names to bytes. @throws ReadingFailed
 */
export function openArchive(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  requireSafeArchive(bytes);
  const parts = Object.entries(unzipEntries(bytes, ({ name }) => TEXT_PART.test(name)));
  return new Map(parts.map(([name, content]) => [normalizePartName(name), content]));
}

/**
 * Normalizes the name of a part. Names are case-insensitive (ECMA-376, part 2, section 6.2.2), and some programs write
 * `\` instead of `/`.
 */
export function normalizePartName(name: string): string {
  return name.replaceAll('\\', '/').toLowerCase();
}

type Filter = NonNullable<Parameters<typeof unzipSync>[1]>['filter'];

function unzipEntries(bytes: Uint8Array, filter: NonNullable<Filter>): ReturnType<typeof unzipSync> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw new ReadingFailed('file_unreadable', 'The file is damaged: it cannot be unpacked.', { cause: error });
  }
}
