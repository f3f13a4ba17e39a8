/** Number of significant decimal digits that a 64-bit floating-point number always preserves. */
const DIGITS = 15;

/** Formats a number without the error of its binary form: 0.3, not 0.30000000000000004. */
export function formatNumber(value: number): string {
  const written = String(value);
  return written.length <= DIGITS ? written : String(Number(value.toPrecision(DIGITS)));
}
