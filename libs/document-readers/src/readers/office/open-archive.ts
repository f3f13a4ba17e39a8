import { unzipSync } from 'fflate';
import { ReadingFailed } from '../reader.js';

const MAX_ENTRIES = 20_000;
const MEBIBYTE = 1_048_576;
/** What all text parts may have unpacked. Sizes are as the archive says; one that lies meets the limits of the reading process. */
const MAX_UNPACKED = 200 * MEBIBYTE;
const TEXT_PART = /\.(?:xml|rels|vml)$/i;

/**
 * Looks at an office file's directory before anything is unpacked.
 *
 * @throws ReadingFailed when it is damaged, or would become too large
 */
function checkArchive(bytes: Uint8Array): void {
  let entries = 0;
  let unpacked = 0;
  readArchive(bytes, ({ name, originalSize }) => {
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

/** The text parts of an office file, by name as {@link partName} writes it. @throws ReadingFailed */
export function openArchive(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  checkArchive(bytes);
  const parts = Object.entries(readArchive(bytes, ({ name }) => TEXT_PART.test(name)));
  return new Map(parts.map(([name, content]) => [partName(name), content]));
}

/** The case of its letters is no part of a name (ECMA-376, part 2, section 6.2.2), and some programs write `\` for `/`. */
export function partName(name: string): string {
  return name.replaceAll('\\', '/').toLowerCase();
}

type Filter = NonNullable<Parameters<typeof unzipSync>[1]>['filter'];

function readArchive(bytes: Uint8Array, filter: NonNullable<Filter>): ReturnType<typeof unzipSync> {
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw new ReadingFailed('file_unreadable', 'The file is damaged: it cannot be unpacked.', { cause: error });
  }
}
