import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PDFiumModule } from '@hyzyla/pdfium';
import { createDecryptedCopier, type SaveExports } from './save-decrypted.js';
import { installPlaceholderFont, type FontExports } from './system-fonts.js';

/**
 * Describes the functions of pdfium's WebAssembly exports that Quarry calls. Pointers and handles are numbers; 0 is
 * null.
 */
export interface PdfiumExports extends FontExports, SaveExports {
  FPDF_LoadMemDocument(data: number, size: number, password: number): number;
  FPDF_GetLastError(): number;
  FPDF_GetPageCount(document: number): number;
  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDF_GetPageBoundingBox(page: number, rectangle: number): number;
  FPDF_GetPageWidthF(page: number): number;
  FPDF_GetPageHeightF(page: number): number;
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, index: number): number;
  FPDFPageObj_GetType(object: number): number;
  FPDFFormObj_CountObjects(form: number): number;
  FPDFFormObj_GetObject(form: number, index: number): number;
  FPDFText_GetTextObject(text: number, index: number): number;
  FPDFFont_GetIsEmbedded(font: number): number;
  FPDFPageObj_GetBounds(object: number, left: number, bottom: number, right: number, top: number): number;
  FPDFTextObj_GetFont(object: number): number;
  FPDFFont_GetBaseFontName(font: number, buffer: number, size: number): number;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
  FPDFBitmap_FillRect(bitmap: number, left: number, top: number, width: number, height: number, argb: number): void;
  FPDFBitmap_GetBuffer(bitmap: number): number;
  FPDFBitmap_GetStride(bitmap: number): number;
  FPDFBitmap_Destroy(bitmap: number): void;
  FPDF_RenderPageBitmap(
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    quarters: number,
    flags: number,
  ): void;
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
  FPDFText_HasUnicodeMapError(text: number, index: number): number;
  FPDFText_IsHyphen(text: number, index: number): number;
  FPDFText_GetFontSize(text: number, index: number): number;
  FPDFText_GetFontInfo(text: number, index: number, name: number, size: number, flags: number): number;
  FPDFText_GetMatrix(text: number, index: number, matrix: number): number;
  FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
}

/** Describes an instance of pdfium's WebAssembly module, which one caller at a time uses. */
export interface PdfiumInstance {
  readonly exports: PdfiumExports;
  /**
   * Copies an open document, given by its handle, as a PDF without encryption and object streams. Returns undefined if
   * copying fails.
   */
  readonly copyDecrypted: (document: number) => Uint8Array | undefined;
  /** Restores the initial memory for the next document. The caller must not use the instance afterwards. */
  release(): void;
}

/**
 * Maximum memory of an instance that is reused, in bytes. A larger instance is discarded, because clearing its memory
 * takes longer than starting another instance.
 */
const MAX_REUSED_BYTES = 64 * 1_048_576;

/** Compiles pdfium's WebAssembly module once, so that further instances start in milliseconds with optimised code. */
const compileModule = createModuleCompiler(() =>
  readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')),
);
/** Lists the released instances that can be acquired again. */
const idle: PdfiumInstance[] = [];

/**
 * Returns a released instance of pdfium, or else starts one. The caller releases it. A reused instance has optimised
 * code, and allocates no new memory. Releasing an instance restores its memory, which isolates documents from each
 * other.
 */
export async function acquirePdfiumInstance(): Promise<PdfiumInstance> {
  return idle.pop() ?? createPdfiumInstance(await startPdfium());
}

function createPdfiumInstance({ exports, copyDecrypted }: Omit<PdfiumInstance, 'release'>): PdfiumInstance {
  const before = copyUsedMemory(new Uint8Array(exports.memory.buffer));
  const instance: PdfiumInstance = {
    exports,
    copyDecrypted,
    release: () => {
      const memory = new Uint8Array(exports.memory.buffer);
      if (memory.length > MAX_REUSED_BYTES) return;
      memory.set(before);
      memory.fill(0, before.length);
      idle.push(instance);
    },
  };
  return instance;
}

/**
 * Returns a copy of the memory up to the last nonzero word. Uses a plain loop, because a callback for millions of words
 * is slow.
 */
function copyUsedMemory(memory: Uint8Array): Uint8Array {
  const words = new Int32Array(memory.buffer);
  let used = words.length;
  while (used > 0 && words[used - 1] === 0) used -= 1;
  return memory.slice(0, used * words.BYTES_PER_ELEMENT);
}

/**
 * Creates a function that reads and compiles a WebAssembly module at its first call. Later calls return the same
 * module. After a failure, the next call repeats both steps.
 */
export function createModuleCompiler(
  readModule: () => Promise<Uint8Array<ArrayBuffer>>,
): () => Promise<WebAssembly.Module> {
  let compiled: Promise<WebAssembly.Module> | undefined;
  return () => {
    compiled ??= readModule()
      .then((bytes) => WebAssembly.compile(bytes))
      .catch((error: unknown) => {
        compiled = undefined;
        throw error;
      });
    return compiled;
  };
}

async function startPdfium(): Promise<Omit<PdfiumInstance, 'release'>> {
  const compiled = await compileModule();
  const pdfium = await PDFiumModule({
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(compiled, imports);
      // The type of `done` declares a module as its parameter, but the Emscripten code expects an instance.
      (done as unknown as (instance: WebAssembly.Instance) => void)(instance);
      return instance.exports;
    },
  });
  pdfium._FPDF_InitLibraryWithConfig({});
  // pdfium's header declares these functions; the package declares types for a few of them only.
  const exports = pdfium.wasmExports as unknown as PdfiumExports;
  return { exports, copyDecrypted: createDecryptedCopier(exports, installPlaceholderFont(exports)) };
}
