/** Creates an id from 128 random bits. Pages over plain HTTP have no `crypto.randomUUID`. */
export function createRandomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
