/** Describes the bytes that a request selects: a range, the whole file, or a range that the file does not have. */
export type ByteRange = { readonly start: number; readonly length: number } | 'whole' | 'unsatisfiable';

/**
 * Parses the header `Range` of a request for a file of `size` bytes (RFC 9110, section 14.2). A header with several
 * ranges, a unit other than bytes or an invalid syntax selects the whole file, as the RFC allows.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, length };
  }
  const start = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < start) return 'whole';
  return start >= size ? 'unsatisfiable' : { start, length: end - start + 1 };
}
