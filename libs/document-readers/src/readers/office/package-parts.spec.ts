import { describe, expect, it } from 'vitest';
import { decodeXml } from './package-parts.js';

const xml = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?><a>Ä</a>`;
const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('decodeXml', () => {
  it.each([
    ['UTF-8', Buffer.from(xml('UTF-8'))],
    ['UTF-8 with a wrong declaration', Buffer.from(xml('UTF-16'))],
    ['UTF-8 with an unknown declaration', Buffer.from(xml('x-mine'))],
    ['Windows-1252', Buffer.from(xml('windows-1252'), 'latin1')],
    ['UTF-16 little endian', Buffer.from(xml('UTF-16'), 'utf16le')],
    ['UTF-16 little endian with a byte order mark', Buffer.from(`\ufeff${xml('UTF-16')}`, 'utf16le')],
    ['UTF-16 big endian', swapped(xml('UTF-16'))],
    ['UTF-16 big endian with a byte order mark', swapped(`\ufeff${xml('UTF-16')}`)],
  ])('decodes %s', (_, bytes) => {
    expect(decodeXml(bytes)).toContain('<a>Ä</a>');
  });
});
