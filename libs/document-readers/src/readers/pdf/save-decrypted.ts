import { createWebAssemblyFunctions } from './webassembly-functions.js';

/** Value of `FPDF_REMOVE_SECURITY` in pdfium's header fpdf_save.h. */
const REMOVE_SECURITY = 3;
const VERSION = 1;

/** Describes the functions of pdfium's WebAssembly exports that save documents. */
export interface SaveExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __indirect_function_table: { set(index: number, value: unknown): void };
  malloc(size: number): number;
  free(address: number): void;
  FPDF_SaveAsCopy(document: number, writer: number, flags: number): number;
}

/**
 * Creates a function that copies an open document without its encryption. The copy has no object streams.
 *
 * @param tableIndex index of an unused entry of pdfium's function table, into which the function stores a callback
 */
export function createDecryptedCopier(
  pdfium: SaveExports,
  tableIndex: number,
): (document: number) => Buffer | undefined {
  let parts: Buffer[] = [];
  const collectPart = ([, address = 0, size = 0]: readonly number[]): number => {
    parts.push(Buffer.from(pdfium.memory.buffer.slice(address, address + size)));
    return 1;
  };
  const [write] = Object.values(createWebAssemblyFunctions({ write: { parameters: 3, call: collectPart } }));
  pdfium.__indirect_function_table.set(tableIndex, write);
  return (document) => {
    const writer = pdfium.malloc(8);
    if (writer === 0) return undefined;
    // Sets the members of the structure `FPDF_FILEWRITE`: the version and the function `WriteBlock`.
    new Uint32Array(pdfium.memory.buffer, writer, 2).set([VERSION, tableIndex]);
    const isSaved = pdfium.FPDF_SaveAsCopy(document, writer, REMOVE_SECURITY) === 1;
    pdfium.free(writer);
    const saved = parts;
    parts = [];
    return isSaved ? Buffer.concat(saved) : undefined;
  };
}
