import type { FileType } from '@quarry/file-types';
import type { Reader } from './reader.js';

/** Maps each file type to a function that loads its reader. A reader is loaded only when needed, to save memory. */
const READERS: Readonly<Record<FileType, () => Promise<Reader>>> = {
  txt: async () => (await import('./text.js')).readText,
  md: async () => (await import('./markdown/markdown.js')).readMarkdown,
  csv: async () => (await import('./csv.js')).readCsv,
  json: async () => (await import('./json/json.js')).readJson,
  docx: async () => (await import('./office/docx.js')).readDocx,
  xlsx: async () => (await import('./office/xlsx.js')).readXlsx,
  pptx: async () => (await import('./office/pptx.js')).readPptx,
  pdf: async () => (await import('./pdf/pdf.js')).readPdf,
};

export function loadReader(type: FileType): Promise<Reader> {
  return READERS[type]();
}
