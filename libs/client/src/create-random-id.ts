const BYTES = 16;

/**
 * Creates an id of 128 random bits in hexadecimal digits. Does not use `crypto.randomUUID`, which is missing in
 * pages that are not served over HTTPS.
 */
export function createRandomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
