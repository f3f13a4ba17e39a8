import { MEDIA_TYPES } from '@quarry/file-types';
import { Problem } from '@quarry/service-kit';
import { describe, expect, it } from 'vitest';
import { checkDeclaredType, detectMediaType, requireMatchingContent } from './media-types.js';

const SUPPORTED = Object.values(MEDIA_TYPES);

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
  it.each(SUPPORTED)('accepts the declared media type %s', (type) => {
    expect(detectMediaType(type, ['report'])).toBe(type);
    expect(detectMediaType(type.toUpperCase(), ['report'])).toBe(type);
  });

  it.each([
    ['notes.md', 'text/markdown'],
    ['notes.MARKDOWN', 'text/markdown'],
    ['table.csv', 'text/csv'],
    ['report.final.pdf', 'application/pdf'],
    ['plain.txt', 'text/plain'],
  ])('derives the media type from the file name %s if the client declares a generic type', (name, type) => {
    for (const declared of ['application/octet-stream', '', 'text/plain']) {
      expect(detectMediaType(declared, [name])).toBe(type);
    }
  });

  it('uses the second file name if the first has no known extension', () => {
    expect(detectMediaType('application/octet-stream', ['Annual report', 'upload.pdf'])).toBe('application/pdf');
  });

  it('treats text/plain without a known file extension as plain text', () => {
    expect(detectMediaType('text/plain', ['README'])).toBe('text/plain');
    expect(detectMediaType('text/plain', ['server.log'])).toBe('text/plain');
  });

  it('accepts aliases of the supported media types', () => {
    expect(detectMediaType('text/x-markdown', ['a'])).toBe('text/markdown');
    expect(detectMediaType('application/csv', ['a'])).toBe('text/csv');
    expect(detectMediaType('application/x-pdf', ['a'])).toBe('application/pdf');
  });

  it.each([
    ['image/png', 'logo.png'],
    ['application/octet-stream', 'program.exe'],
    ['application/octet-stream', 'no extension'],
    ['application/msword', 'old.docx'],
  ])(
    'refuses the type %s with the file name %s, and lists the supported types and the type found',
    (declared, name) => {
      const problem = catchProblem(() => detectMediaType(declared, [name]));
      expect(problem.kind.status).toBe(415);
      for (const type of SUPPORTED) expect(problem.message).toContain(type);
      expect(problem.message).toContain(declared);
    },
  );

  it('refuses a file name that contradicts the declared type, except between two text types', () => {
    expect(catchProblem(() => detectMediaType('application/pdf', ['table.xlsx'])).message).toContain(
      'contradicts the file name',
    );
    expect(catchProblem(() => detectMediaType('text/csv', ['report.pdf'])).code).toBe('unsupported_media_type');
    expect(detectMediaType('text/csv', ['table.txt'])).toBe('text/csv');
  });

  it('refuses an unsupported declared type before the file content is read', () => {
    expect(checkDeclaredType('image/png')?.code).toBe('unsupported_media_type');
    for (const type of [...SUPPORTED, 'application/octet-stream', '']) expect(checkDeclaredType(type)).toBeUndefined();
  });
});

describe('requireMatchingContent', () => {
  const PDF = Buffer.from('%PDF-1.7\n');
  const ZIP = Buffer.from('PK\x03\x04');
  const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
  const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

  it('accepts file content with the signature of its type, including encrypted Office files', () => {
    requireMatchingContent('application/pdf', PDF);
    requireMatchingContent(MEDIA_TYPES.docx, ZIP);
    requireMatchingContent(MEDIA_TYPES.xlsx, OLE);
    requireMatchingContent('text/plain', Buffer.from('Files begin with %PDF-1.7'));
  });

  it('accepts file content without a known signature', () => {
    requireMatchingContent('application/pdf', Buffer.from('\n\n\n'));
    requireMatchingContent('text/csv', Buffer.from('\uFEFFa;b', 'utf16le'));
    requireMatchingContent('text/csv', Buffer.alloc(0));
  });

  it.each([
    ['application/pdf', PNG, 'a PNG image'],
    ['application/pdf', ZIP, 'a zip archive'],
    ['text/plain', PDF, 'a PDF document'],
    ['text/markdown', PNG, 'a PNG image'],
    [MEDIA_TYPES.docx, PDF, 'a PDF document'],
  ] as const)('refuses the type %s for file content of another type', (type, head, kind) => {
    const problem = catchProblem(() => {
      requireMatchingContent(type, head);
    });
    expect(problem.kind.status).toBe(415);
    expect(problem.message).toContain(`the content of ${kind}`);
  });
});
