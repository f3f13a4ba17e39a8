import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanFileName } from './file-document.js';

describe('cleanFileName', () => {
  it.each([
    ['report.pdf', 'report.pdf'],
    ['Grüße aus 東京 😀.md', 'Grüße aus 東京 😀.md'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\notes.txt', 'notes.txt'],
    ['a\r\nb\0c.txt', 'abc.txt'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['  spaced.txt  ', 'spaced.txt'],
    ['', 'file'],
    ['..', 'file'],
    ['folder/', 'file'],
    ['u\u0308ber.txt', 'über.txt'],
    ['50%.pdf', '50%.pdf'],
  ])('cleanFileName converts the file name %j to %j', (given, expected) => {
    expect(cleanFileName(given)).toBe(expected);
  });

  it('cleanFileName shortens a long file name, and keeps its extension', () => {
    const name = cleanFileName(`${'😀'.repeat(300)}.markdown`);
    expect(name.length).toBeLessThanOrEqual(200);
    expect(name).toMatch(/😀\.markdown$/);
  });

  it('cleanFileName returns a safe file name for any input, and does not change a safe file name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (given) => {
        const name = cleanFileName(given);
        expect(name).not.toMatch(/[/\\\p{Cc}]|^\.*$/u);
        expect(name.isWellFormed()).toBe(true);
        expect(name.length).toBeLessThanOrEqual(200);
        expect(cleanFileName(name)).toBe(name);
      }),
    );
  });
});
