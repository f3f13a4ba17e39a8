import type { Exports } from './pdfium-instance.js';

/** @param write asks pdfium for UTF-16 text at an address with room for so many bytes, and tells how many there are with the zero at the end */
export function textFrom(pdfium: Exports, write: (address: number, bytes: number) => number): string {
  const bytes = write(0, 0);
  if (bytes <= 2) return '';
  const address = pdfium.malloc(bytes);
  if (address === 0) return '';
  write(address, bytes);
  const text = Buffer.from(pdfium.memory.buffer, address, bytes - 2).toString('utf16le');
  pdfium.free(address);
  return text;
}

/** @param text in Latin-1 @returns the address of a copy with a zero behind it */
export function addressOf(pdfium: Exports, text: string): number {
  const address = pdfium.malloc(text.length + 1);
  Buffer.from(pdfium.memory.buffer, address, text.length + 1).write(`${text}\0`, 'latin1');
  return address;
}
