const BYTES = 16;

/**
 * Creates 128 random bits in hexadecimal digits. `crypto.randomUUID` does not exist in pages that are not served over
 * HTTPS.
 */
export function createRandomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
