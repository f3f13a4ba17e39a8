import { MEDIA_TYPES } from '@quarry/file-types';
import { Problem } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { refuseOtherContent } from './content-kind.js';
import { mediaTypeOf, refusalOf } from './media-types.js';

const SUPPORTED = Object.values(MEDIA_TYPES);

function refused(run: () => unknown): Problem {
  try {
    run();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('mediaTypeOf', () => {
  it.each(SUPPORTED)('takes %s as it is declared', (type) => {
    expect(mediaTypeOf(type, ['report'])).toBe(type);
    expect(mediaTypeOf(type.toUpperCase(), ['report'])).toBe(type);
  });

  it.each([
    ['notes.md', 'text/markdown'],
    ['notes.MARKDOWN', 'text/markdown'],
    ['table.csv', 'text/csv'],
    ['report.final.pdf', 'application/pdf'],
    ['plain.txt', 'text/plain'],
  ])('goes by the name %s when the client declares nothing telling', (name, type) => {
    for (const declared of ['application/octet-stream', '', 'text/plain']) {
      expect(mediaTypeOf(declared, [name])).toBe(type);
    }
  });

  it('asks the next name when the first says nothing', () => {
    expect(mediaTypeOf('application/octet-stream', ['Annual report', 'upload.pdf'])).toBe('application/pdf');
  });

  it('takes text without a telling name for text', () => {
    expect(mediaTypeOf('text/plain', ['README'])).toBe('text/plain');
    expect(mediaTypeOf('text/plain', ['server.log'])).toBe('text/plain');
  });

  it('understands other names of the same types', () => {
    expect(mediaTypeOf('text/x-markdown', ['a'])).toBe('text/markdown');
    expect(mediaTypeOf('application/csv', ['a'])).toBe('text/csv');
    expect(mediaTypeOf('application/x-pdf', ['a'])).toBe('application/pdf');
  });

  it.each([
    ['image/png', 'logo.png'],
    ['application/octet-stream', 'program.exe'],
    ['application/octet-stream', 'no extension'],
    ['application/msword', 'old.docx'],
  ])('refuses %s called %s, saying what is supported and what was found', (declared, name) => {
    const problem = refused(() => mediaTypeOf(declared, [name]));
    expect(problem.kind.status).toBe(415);
    for (const type of SUPPORTED) expect(problem.message).toContain(type);
    expect(problem.message).toContain(declared);
  });

  it('refuses a type and a name that cannot both be true, but not two kinds of text', () => {
    expect(refused(() => mediaTypeOf('application/pdf', ['table.xlsx'])).message).toContain('do not agree');
    expect(refused(() => mediaTypeOf('text/csv', ['report.pdf'])).code).toBe('unsupported_media_type');
    expect(mediaTypeOf('text/csv', ['table.txt'])).toBe('text/csv');
  });

  it('knows before a byte is read what no name can save', () => {
    expect(refusalOf('image/png')?.code).toBe('unsupported_media_type');
    for (const type of [...SUPPORTED, 'application/octet-stream', '']) expect(refusalOf(type)).toBeUndefined();
  });
});

describe('refuseOtherContent', () => {
  const PDF = Buffer.from('%PDF-1.7\n');
  const ZIP = Buffer.from('PK\x03\x04');
  const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
  const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

  it('lets pass what the content bears out, encrypted office files included', () => {
    refuseOtherContent('application/pdf', PDF);
    refuseOtherContent(MEDIA_TYPES.docx, ZIP);
    refuseOtherContent(MEDIA_TYPES.xlsx, OLE);
    refuseOtherContent('text/plain', Buffer.from('Files begin with %PDF-1.7'));
  });

  it('lets pass what is not known, which the reader will judge', () => {
    refuseOtherContent('application/pdf', Buffer.from('\n\n\n'));
    refuseOtherContent('text/csv', Buffer.from('\uFEFFa;b', 'utf16le'));
    refuseOtherContent('text/csv', Buffer.alloc(0));
  });

  it.each([
    ['application/pdf', PNG, 'a PNG image'],
    ['application/pdf', ZIP, 'a zip archive'],
    ['text/plain', PDF, 'a PDF document'],
    ['text/markdown', PNG, 'a PNG image'],
    [MEDIA_TYPES.docx, PDF, 'a PDF document'],
  ] as const)('refuses %s with other content', (type, head, kind) => {
    const problem = refused(() => {
      refuseOtherContent(type, head);
    });
    expect(problem.kind.status).toBe(415);
    expect(problem.message).toContain(`the content of ${kind}`);
  });
});
