import { expect, it } from 'vitest';
import { column, makePdf } from '../../testing/make-pdf.js';
import { takeInstance, type PdfiumInstance } from './pdfium-instance.js';

it('is as it was before any document, when the next one is read', async () => {
  const instance = await takeInstance();
  const before = copyOfMemory(instance);
  load(instance);
  expect(copyOfMemory(instance).equals(before)).toBe(false);
  instance.giveBack();
  const next = await takeInstance();
  expect(next).toBe(instance);
  expect(copyOfMemory(next).equals(before)).toBe(true);
});

it('is used by one document at a time', async () => {
  expect(await takeInstance()).not.toBe(await takeInstance());
});

it('is not kept when a document has made it large', async () => {
  const large = await takeInstance();
  large.exports.malloc(100 * 1_048_576);
  large.giveBack();
  expect(await takeInstance()).not.toBe(large);
});

function load({ exports }: PdfiumInstance): void {
  const bytes = makePdf([column(['heron'])]);
  const address = exports.malloc(bytes.length);
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  const document = exports.FPDF_LoadMemDocument(address, bytes.length, 0);
  exports.FPDFText_LoadPage(exports.FPDF_LoadPage(document, 0));
}

function copyOfMemory({ exports }: PdfiumInstance): Buffer {
  return Buffer.from(new Uint8Array(exports.memory.buffer).slice().buffer);
}
