import type { PdfiumExports } from './pdfium-instance.js';

/**
 * Reads a UTF-16 string from pdfium.
 *
 * @param writeToBuffer calls the pdfium function that writes the string into a buffer with the given address and size
 * in bytes; returns the required size in bytes, including the terminating zero
 */
export function readUtf16String(
  pdfium: PdfiumExports,
  writeToBuffer: (address: number, bytes: number) => number,
): string {
  const bytes = writeToBuffer(0, 0);
  if (bytes <= 2) return '';
  const address = pdfium.malloc(bytes);
  if (address === 0) return '';
  writeToBuffer(address, bytes);
  const text = Buffer.from(pdfium.memory.buffer, address, bytes - 2).toString('utf16le');
  pdfium.free(address);
  return text;
}

/** Copies a Latin-1 string into pdfium's memory with a terminating zero, and returns its address. */
export function allocateString(pdfium: PdfiumExports, text: string): number {
  const address = pdfium.malloc(text.length + 1);
  Buffer.from(pdfium.memory.buffer, address, text.length + 1).write(`${text}\0`, 'latin1');
  return address;
}
