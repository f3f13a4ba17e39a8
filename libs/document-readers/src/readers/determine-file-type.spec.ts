import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { layOutInColumn, makePdf } from '../testing/make-pdf.js';
import { determineFileType, type DeclaredFile } from './determine-file-type.js';
import { ReadingFailed } from './reader.js';

const OFFICE = 'application/vnd.openxmlformats-officedocument';
const DOCX = `${OFFICE}.wordprocessingml.document`;
const XLSX = `${OFFICE}.spreadsheetml.sheet`;
const PPTX = `${OFFICE}.presentationml.presentation`;
const PDF = 'application/pdf';

const pdf = makePdf([layOutInColumn(['text'])]);
const text = Buffer.from('Just some text.');
const png = Buffer.concat([Buffer.from([0x89]), Buffer.from('PNG\r\n\x1a\nrest')]);
const compound = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]);
const encrypted = Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le')]);
const createZip = (...names: readonly string[]): Uint8Array =>
  zipSync(Object.fromEntries(names.map((name) => [name, strToU8('<x/>')])));
const createStoredZip = (name: string, content: string): Uint8Array =>
  zipSync({ [name]: strToU8(content), 'word/document.xml': strToU8('<x/>') }, { level: 0 });

const detectType = (bytes: Uint8Array, mimeType: string, file: Partial<DeclaredFile> = {}): string => {
  try {
    return determineFileType({ mimeType, name: 'a title', nameIsFileName: false, ...file }, bytes);
  } catch (error) {
    if (error instanceof ReadingFailed) return error.code;
    throw error;
  }
};
const declareFile = (name: string): Partial<DeclaredFile> => ({ name, nameIsFileName: true });

describe('determineFileType', () => {
  it.each<[string, Uint8Array, string]>([
    ['pdf', pdf, PDF],
    ['pdf', Buffer.concat([Buffer.from('some garbage\n'), pdf]), PDF],
    ['docx', createZip('[Content_Types].xml', 'word/document.xml'), DOCX],
    ['xlsx', createZip('[Content_Types].xml', 'xl/workbook.xml'), XLSX],
    ['xlsx', createZip('[Content_Types].xml', 'XL\\Workbook.xml'), XLSX],
    ['pptx', createZip('[Content_Types].xml', 'ppt/presentation.xml'), PPTX],
    ['txt', text, 'text/plain'],
    ['md', text, 'text/markdown'],
    ['csv', Buffer.from('a;b\n1;2', 'utf16le'), 'text/csv'],
    ['json', Buffer.from('\ufeff{}', 'utf16le'), 'application/json'],
    ['txt', Buffer.from('Preise für Möbel', 'latin1'), 'text/plain'],
    ['txt', Buffer.from('保证期为自购买之日起两年。\n', 'utf16le'), 'text/plain'],
    ['txt', Uint8Array.from([0, 0, 0, 0x41, 0, 0, 0, 0x42]), 'text/plain'],
    ['txt', Buffer.from(`a log${'\n12:00 a line of it'.repeat(20)}\0\0\0`), 'text/plain'],
  ])('determineFileType returns %s if the declared type and the content agree', (type, bytes, mimeType) => {
    expect(detectType(bytes, mimeType)).toBe(type);
  });

  it('determineFileType accepts a text that mentions the header of a PDF, and rejects a PDF that is declared as text', () => {
    const about = Buffer.from('# The PDF format\n\nA PDF file begins with `%PDF-1.7`.');
    expect(detectType(about, 'text/markdown')).toBe('md');
    expect(detectType(Buffer.concat([Buffer.from('\uFEFF\n'), pdf]), 'text/markdown')).toBe('file_type_mismatch');
  });

  it('if plain text is declared, determineFileType returns the type of the file extension, such as `md`', () => {
    expect(detectType(text, 'text/plain', declareFile('notes.MD'))).toBe('md');
    expect(detectType(text, 'text/plain', declareFile('server.log'))).toBe('txt');
    expect(detectType(text, 'text/csv', declareFile('table.txt'))).toBe('csv');
  });

  it('if the name of a file is a title, determineFileType ignores an extension such as .pdf in the title', () => {
    expect(detectType(text, 'text/markdown', { name: 'How to open report.pdf' })).toBe('md');
  });

  it.each<[string, Uint8Array, string, Partial<DeclaredFile>]>([
    ['text declared as PDF', text, PDF, {}],
    ['a PDF declared as text', pdf, 'text/plain', {}],
    ['a picture declared as PDF', png, PDF, {}],
    ['a picture declared as text', png, 'text/plain', {}],
    ['binary data declared as text', Buffer.from([1, 0, 2, 0, 0, 3, 9, 0, 0, 0]), 'text/plain', {}],
    [
      'binary data without a zero byte, declared as CSV',
      Uint8Array.from({ length: 600 }, (_, at) => 1 + ((at * 89) % 255)),
      'text/csv',
      {},
    ],
    ['a spreadsheet declared as a document', createZip('xl/workbook.xml'), DOCX, {}],
    ['an archive declared as a document', createZip('photo.jpg'), DOCX, {}],
    ['a document from before 2007', compound, DOCX, {}],
    ['a PDF with the extension .docx', pdf, PDF, declareFile('report.docx')],
    ['text with the extension .pdf', text, 'text/plain', declareFile('report.pdf')],
  ])('determineFileType rejects %s', (_, bytes, mimeType, file) => {
    expect(detectType(bytes, mimeType, file)).toBe('file_type_mismatch');
  });

  it('the error of determineFileType names the declared type and the detected type', () => {
    const declared = { mimeType: PDF, name: 'x', nameIsFileName: false };
    expect(() => determineFileType(declared, png)).toThrow(
      'Expected a file of the declared type application/pdf; found a PNG picture.',
    );
  });

  it.each<[string, Uint8Array, string]>([
    ['an office file in a format before 2007', compound, DOCX],
    ['a binary Excel workbook (XLSB)', createZip('xl/workbook.bin'), XLSX],
    ['an OpenDocument file', createStoredZip('mimetype', 'application/vnd.oasis.opendocument.text'), DOCX],
    ['an EPUB book', createStoredZip('mimetype', 'application/epub+zip'), DOCX],
    ['a zip archive', createZip('photo.jpg'), DOCX],
  ])('the error of determineFileType names %s as the detected type', (kind, bytes, mimeType) => {
    const declared = { mimeType, name: 'x', nameIsFileName: false };
    expect(() => determineFileType(declared, bytes)).toThrow(`found ${kind}.`);
  });

  it('determineFileType rejects encrypted office files, empty files and damaged archives', () => {
    expect(detectType(encrypted, XLSX)).toBe('file_encrypted');
    expect(detectType(encrypted, 'text/plain')).toBe('file_type_mismatch');
    expect(detectType(Buffer.alloc(0), PDF)).toBe('file_empty');
    expect(detectType(createZip('word/document.xml').subarray(0, 60), DOCX)).toBe('file_unreadable');
  });

  it('determineFileType rejects a file whose declared media type is not supported', () => {
    expect(detectType(text, 'text/html')).toBe('file_type_unsupported');
  });
});
