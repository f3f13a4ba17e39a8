import { describe, expect, it } from 'vitest';
import { decodeXml } from './package-parts.js';

const createXml = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?><a>Ä</a>`;
const swapBytes = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('decodeXml', () => {
  it.each([
    ['UTF-8', Buffer.from(createXml('UTF-8'))],
    ['UTF-8 with a wrong declaration', Buffer.from(createXml('UTF-16'))],
    ['UTF-8 with an unknown declaration', Buffer.from(createXml('x-mine'))],
    ['Windows-1252', Buffer.from(createXml('windows-1252'), 'latin1')],
    ['UTF-16 little endian', Buffer.from(createXml('UTF-16'), 'utf16le')],
    ['UTF-16 little endian with a byte order mark', Buffer.from(`\ufeff${createXml('UTF-16')}`, 'utf16le')],
    ['UTF-16 big endian', swapBytes(createXml('UTF-16'))],
    ['UTF-16 big endian with a byte order mark', swapBytes(`\ufeff${createXml('UTF-16')}`)],
  ])('decodeXml decodes %s', (_, bytes) => {
    expect(decodeXml(bytes)).toContain('<a>Ä</a>');
  });
});
