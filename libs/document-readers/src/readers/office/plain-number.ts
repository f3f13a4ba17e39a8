/** What of a number is more than the error of its binary form. */
const DIGITS = 15;

/** A number as a person wrote it: 0.3, not 0.30000000000000004. */
export function plainNumber(value: number): string {
  const written = String(value);
  return written.length <= DIGITS ? written : String(Number(value.toPrecision(DIGITS)));
}
