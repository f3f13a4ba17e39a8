import { describe, expect, it } from 'vitest';
import { decodeXml } from './decode-xml.js';

const xml = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?><a>Ä</a>`;
const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('the encoding of an XML document', () => {
  it.each([
    ['UTF-8', Buffer.from(xml('UTF-8'))],
    ['UTF-8 that is declared otherwise', Buffer.from(xml('UTF-16'))],
    ['UTF-8 under an unknown name', Buffer.from(xml('x-mine'))],
    ['Windows-1252', Buffer.from(xml('windows-1252'), 'latin1')],
    ['UTF-16, the low byte first', Buffer.from(xml('UTF-16'), 'utf16le')],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${xml('UTF-16')}`, 'utf16le')],
    ['UTF-16, the high byte first', swapped(xml('UTF-16'))],
    ['UTF-16 with a mark, the high byte first', swapped(`\ufeff${xml('UTF-16')}`)],
  ])('is told: %s', (_, bytes) => {
    expect(decodeXml(bytes)).toContain('<a>Ä</a>');
  });
});
