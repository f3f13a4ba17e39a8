import { describe, expect, it } from 'vitest';
import { layOutInColumn, makePdf } from '../../testing/make-pdf.js';
import { acquirePdfiumInstance, createModuleCompiler, type PdfiumInstance } from './pdfium-instance.js';

describe('a pdfium instance', () => {
  it('acquirePdfiumInstance reuses a released pdfium instance, with its initial memory restored', async () => {
    const instance = await acquirePdfiumInstance();
    const before = copyMemory(instance);
    loadPdf(instance);
    expect(copyMemory(instance).equals(before)).toBe(false);
    instance.release();
    const next = await acquirePdfiumInstance();
    expect(next).toBe(instance);
    expect(copyMemory(next).equals(before)).toBe(true);
  });

  it('acquirePdfiumInstance returns another pdfium instance while the first instance is in use', async () => {
    expect(await acquirePdfiumInstance()).not.toBe(await acquirePdfiumInstance());
  });

  it('acquirePdfiumInstance does not reuse a released pdfium instance whose memory has grown beyond the limit for reuse', async () => {
    const large = await acquirePdfiumInstance();
    large.exports.malloc(100 * 1_048_576);
    large.release();
    expect(await acquirePdfiumInstance()).not.toBe(large);
  });

  it('the function that createModuleCompiler returns reads the module again after a failed read, and compiles the module only once', async () => {
    const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    const reads = [Promise.reject(new Error('too many open files')), Promise.resolve(emptyModule)];
    const compileModule = createModuleCompiler(() => reads.shift() ?? Promise.reject(new Error('read too often')));
    await expect(compileModule()).rejects.toThrow('too many open files');
    expect(await compileModule()).toBe(await compileModule());
  });
});

function loadPdf({ exports }: PdfiumInstance): void {
  const bytes = makePdf([layOutInColumn(['heron'])]);
  const address = exports.malloc(bytes.length);
  new Uint8Array(exports.memory.buffer, address, bytes.length).set(bytes);
  const document = exports.FPDF_LoadMemDocument(address, bytes.length, 0);
  exports.FPDFText_LoadPage(exports.FPDF_LoadPage(document, 0));
}

function copyMemory({ exports }: PdfiumInstance): Buffer {
  return Buffer.from(new Uint8Array(exports.memory.buffer).slice().buffer);
}
