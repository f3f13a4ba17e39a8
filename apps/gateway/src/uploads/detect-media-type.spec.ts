import { MEDIA_TYPES, type MediaType } from '@quarry/file-types';
import { Problem } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { detectMediaType, HEAD_BYTES } from './detect-media-type.js';

const SUPPORTED = Object.values(MEDIA_TYPES);
const TEXT = Buffer.from('a,b\n1,2\n');
const PDF = Buffer.from('%PDF-1.7\n');
const ZIP = Buffer.from('PK\x03\x04');
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const BINARY = Buffer.from([0, 1, 2, 3, 4, 5, 6, 7]);
const EXCEL_97 = 'application/vnd.ms-excel';
const OCTETS = 'application/octet-stream';

const detect = (declaredType: string, name: string, head: Buffer = Buffer.alloc(0)): MediaType =>
  detectMediaType({ declaredType, names: [name], head });

/** Builds the first bytes of an office file, a zip archive that contains parts with these names. */
function buildArchive(...parts: readonly string[]): Buffer {
  const content = Buffer.alloc(800, 0xa5);
  const stored = parts.map((part) => Buffer.concat([ZIP, Buffer.alloc(26), Buffer.from(part), content]));
  return Buffer.concat(stored).subarray(0, HEAD_BYTES);
}

function catchProblem(run: () => unknown): Problem {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('expected a problem, found none');
}

describe('detectMediaType', () => {
  it.each(SUPPORTED)(
    'detectMediaType returns the declared media type %s for a file name without an extension',
    (type) => {
      expect(detect(type, 'report')).toBe(type);
      expect(detect(type.toUpperCase(), 'report')).toBe(type);
    },
  );

  it.each([
    ['notes.md', 'text/markdown'],
    ['notes.MARKDOWN', 'text/markdown'],
    ['table.csv', 'text/csv'],
    ['report.final.pdf', 'application/pdf'],
    ['plain.txt', 'text/plain'],
  ])(
    'detectMediaType derives the media type from the file name %s if the client declares a generic type',
    (name, type) => {
      for (const declared of [OCTETS, '', 'text/plain', EXCEL_97]) expect(detect(declared, name)).toBe(type);
    },
  );

  it('detectMediaType uses the second file name if the first file name has no known extension', () => {
    const names = ['Annual report', 'upload.pdf'];
    expect(detectMediaType({ declaredType: OCTETS, names, head: PDF })).toBe('application/pdf');
  });

  it('detectMediaType returns text/plain for a file that is declared as text/plain and has no known extension', () => {
    expect(detect('text/plain', 'README', TEXT)).toBe('text/plain');
    expect(detect('text/plain', 'server.log', TEXT)).toBe('text/plain');
  });

  it('detectMediaType returns the supported media type for an alias that the client declares', () => {
    expect(detect('text/x-markdown', 'a')).toBe('text/markdown');
    expect(detect('application/csv', 'a')).toBe('text/csv');
    expect(detect('application/x-pdf', 'a')).toBe('application/pdf');
  });

  it.each([
    [EXCEL_97, 'prices.csv', TEXT, 'text/csv'],
    [EXCEL_97, 'prices.xlsx', ZIP, MEDIA_TYPES.xlsx],
    ['application/x-zip-compressed', 'report.docx', ZIP, MEDIA_TYPES.docx],
    ['application/pdf', 'table.xlsx', ZIP, MEDIA_TYPES.xlsx],
    [OCTETS, 'secret.docx', OLE, MEDIA_TYPES.docx],
    ['text/comma-separated-values', 'prices.csv', TEXT, 'text/csv'],
    ['application/msword', 'report.docx', ZIP, MEDIA_TYPES.docx],
    ['image/png', 'notes.txt', TEXT, 'text/plain'],
  ])(
    'detectMediaType derives the type of a file that a browser declares as %s from its name %s',
    (declared, name, head, type) => {
      expect(detect(declared, name, head)).toBe(type);
    },
  );

  it.each([
    [PDF, 'application/pdf'],
    [TEXT, 'text/plain'],
    [Buffer.from('\ufeffText', 'utf16le'), 'text/plain'],
    [buildArchive('[Content_Types].xml', '_rels/.rels', 'word/document.xml'), MEDIA_TYPES.docx],
    [buildArchive('_rels/.rels', 'docProps/app.xml', 'ppt/presentation.xml'), MEDIA_TYPES.pptx],
    [buildArchive('xl/workbook.xml'), MEDIA_TYPES.xlsx],
  ])(
    'detectMediaType derives the type from the content of a file without an extension and with a generic declared type (case %#)',
    (head, type) => {
      for (const declared of [OCTETS, '']) expect(detect(declared, 'report', head)).toBe(type);
    },
  );

  it('detectMediaType derives the type from the content if the content contradicts the declared type and the file name has no extension', () => {
    expect(detect('text/plain', 'report', PDF)).toBe('application/pdf');
    expect(detect('application/pdf', 'report', buildArchive('word/document.xml'))).toBe(MEDIA_TYPES.docx);
  });

  it('detectMediaType accepts content without a known signature, because the document reader checks the content later', () => {
    expect(detect('application/pdf', 'a.pdf', Buffer.from('\n\n\n'))).toBe('application/pdf');
    expect(detect('text/csv', 'a.csv', Buffer.from('\uFEFFa;b', 'utf16le'))).toBe('text/csv');
    expect(detect('text/plain', 'a.txt', Buffer.from('Files begin with %PDF-1.7'))).toBe('text/plain');
  });

  it.each([
    ['image/png', 'logo.png', TEXT],
    ['image/png', 'no extension', TEXT],
    ['application/msword', 'no extension', PDF],
    [OCTETS, 'program.exe', TEXT],
    [OCTETS, 'no extension', BINARY],
    [OCTETS, 'archive', ZIP],
    [EXCEL_97, 'table.xls', OLE],
    ['application/msword', 'old.doc', OLE],
  ])(
    'detectMediaType refuses a file with the declared type %s and the name %s, and the message contains the supported types and the type found',
    (declared, name, head) => {
      const problem = catchProblem(() => detect(declared, name, head));
      expect(problem.kind.status).toBe(415);
      for (const type of SUPPORTED) expect(problem.message).toContain(type);
      expect(problem.message).toContain(declared);
    },
  );

  it.each([
    ['application/pdf', 'a.pdf', PNG, 'a PNG image'],
    ['application/pdf', 'a.pdf', ZIP, 'a zip archive'],
    ['text/plain', 'a.txt', PDF, 'a PDF document'],
    ['text/markdown', 'a', PNG, 'a PNG image'],
    [MEDIA_TYPES.docx, 'a.docx', PDF, 'a PDF document'],
  ])(
    'detectMediaType refuses a file with the declared type %s and the name %s whose content has another type',
    (declared, name, head, kind) => {
      const problem = catchProblem(() => detect(declared, name, head));
      expect(problem.kind.status).toBe(415);
      expect(problem.message).toContain(`the content of ${kind}`);
    },
  );

  it('detectMediaType refuses unrecognized content if file name and declared type contradict each other, unless both are text types', () => {
    expect(catchProblem(() => detect('application/pdf', 'table.xlsx')).message).toContain('contradicts the file name');
    expect(catchProblem(() => detect('text/csv', 'report.pdf')).code).toBe('unsupported_media_type');
    expect(detect('text/csv', 'table.txt')).toBe('text/csv');
  });
});
