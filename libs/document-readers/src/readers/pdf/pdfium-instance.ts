import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PDFiumModule } from '@hyzyla/pdfium';

/** The functions of pdfium that are used here, as the WebAssembly exports them. Pointers and handles are numbers; 0 is none. */
export interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(size: number): number;
  free(address: number): void;
  FPDF_LoadMemDocument(data: number, size: number, password: number): number;
  FPDF_GetLastError(): number;
  FPDF_GetPageCount(document: number): number;
  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDFPage_GetRotation(page: number): number;
  FPDFPage_SetRotation(page: number, quarters: number): void;
  FPDFPage_GetAnnotCount(page: number): number;
  FPDFPage_GetAnnot(page: number, index: number): number;
  FPDFPage_CloseAnnot(annotation: number): void;
  FPDFAnnot_GetSubtype(annotation: number): number;
  FPDFAnnot_GetFlags(annotation: number): number;
  FPDFAnnot_GetRect(annotation: number, rectangle: number): number;
  FPDFAnnot_GetStringValue(annotation: number, key: number, buffer: number, size: number): number;
  FPDFAnnot_CountAttachmentPoints(annotation: number): number;
  FPDFAnnot_GetAttachmentPoints(annotation: number, index: number, points: number): number;
  FPDFDOC_InitFormFillEnvironment(document: number, info: number): number;
  FPDFAnnot_GetFormFieldType(form: number, annotation: number): number;
  FPDFAnnot_GetFormFieldFlags(form: number, annotation: number): number;
  FPDFAnnot_GetFormFieldValue(form: number, annotation: number, buffer: number, size: number): number;
  FPDFAnnot_GetOptionCount(form: number, annotation: number): number;
  FPDFAnnot_IsOptionSelected(form: number, annotation: number, index: number): number;
  FPDFAnnot_GetOptionLabel(form: number, annotation: number, index: number, buffer: number, size: number): number;
  FPDFText_LoadPage(page: number): number;
  FPDFText_ClosePage(text: number): void;
  FPDFText_CountChars(text: number): number;
  FPDFText_GetUnicode(text: number, index: number): number;
  FPDFText_IsHyphen(text: number, index: number): number;
  FPDFText_GetFontSize(text: number, index: number): number;
  FPDFText_GetFontInfo(text: number, index: number, name: number, size: number, flags: number): number;
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
}

/** pdfium, with its memory as it was before any document. */
export interface PdfiumInstance {
  readonly exports: Exports;
  /** Makes its memory what it was, for the next document. Whoever calls this uses it no more. */
  giveBack(): void;
}

/** An instance whose memory has grown beyond is left to the garbage collector: clearing it would cost more than another one. */
const MOST_KEPT_BYTES = 64 * 1_048_576;

let program: Promise<WebAssembly.Module> | undefined;
/** Those that were given back. */
const idle: PdfiumInstance[] = [];

/**
 * What one document does to the memory, the next one does not see; and an instance that is used again has its calls optimised,
 * and costs no memory that the garbage collector would have to look for.
 */
export async function takeInstance(): Promise<PdfiumInstance> {
  return idle.pop() ?? kept(await start());
}

function kept(exports: Exports): PdfiumInstance {
  const before = usedPart(new Uint8Array(exports.memory.buffer));
  const instance: PdfiumInstance = {
    exports,
    giveBack: () => {
      const memory = new Uint8Array(exports.memory.buffer);
      if (memory.length > MOST_KEPT_BYTES) return;
      memory.set(before);
      memory.fill(0, before.length);
      idle.push(instance);
    },
  };
  return instance;
}

/** A copy of the memory up to the last word that is not zero. It is millions of words long: a callback each would take longer than a page. */
function usedPart(memory: Uint8Array): Uint8Array {
  const words = new Int32Array(memory.buffer);
  let used = words.length;
  while (used > 0 && words[used - 1] === 0) used -= 1;
  return memory.slice(0, used * words.BYTES_PER_ELEMENT);
}

/** The program is compiled once, so that an instance of it starts in milliseconds, and runs as fast as the one before did. */
async function start(): Promise<Exports> {
  program ??= readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  const compiled = await program;
  const pdfium = await PDFiumModule({
    instantiateWasm: (imports, done) => {
      const made = new WebAssembly.Instance(compiled, imports);
      // The package's type has the module here; its program, made by Emscripten, takes the instance.
      (done as unknown as (instance: WebAssembly.Instance) => void)(made);
      return made.exports;
    },
  });
  pdfium._FPDF_InitLibraryWithConfig({});
  // pdfium's own header declares these functions; the package types a few of them only.
  return pdfium.wasmExports as unknown as Exports;
}
