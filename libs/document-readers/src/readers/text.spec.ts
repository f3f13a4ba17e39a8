import { extractTerms } from '@quarry/text-analysis';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBlocks } from '../testing/read-blocks.js';
import { readText } from './text.js';

const listBlockTexts = async (content: string | Uint8Array): Promise<readonly string[]> =>
  (await readBlocks(readText, content)).blocks.map((block) => block.text);

describe('readText', () => {
  it('readText splits text into paragraphs at empty lines, whatever characters end the lines', async () => {
    await expect(listBlockTexts('one\ntwo\n\n\nthree\r\n \r\nfour\r\rfive')).resolves.toEqual([
      'one\ntwo',
      'three',
      'four',
      'five',
    ]);
  });

  it('readText yields no blocks for an empty file', async () => {
    await expect(listBlockTexts('')).resolves.toEqual([]);
    await expect(listBlockTexts(' \n\t\n\0')).resolves.toEqual([]);
  });

  it.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from('Größe: 東京 🙂')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffGröße: 東京 🙂')],
    ['UTF-16 little endian with a byte order mark', Buffer.from('\ufeffGröße: 東京 🙂', 'utf16le')],
    ['UTF-16 big endian with a byte order mark', Buffer.from('\ufeffGröße: 東京 🙂', 'utf16le').swap16()],
  ])('readText decodes text in %s', async (_, bytes) => {
    await expect(listBlockTexts(bytes)).resolves.toEqual(['Größe: 東京 🙂']);
  });

  it.each<[string, Uint8Array]>([
    ['UTF-16 little endian without a byte order mark', Buffer.from('Preise für Möbel', 'utf16le')],
    ['UTF-16 big endian without a byte order mark', Buffer.from('Preise für Möbel', 'utf16le').swap16()],
    ['Windows-1252', Buffer.from('Preise für Möbel', 'latin1')],
  ])('readText detects that text is in %s', async (_, bytes) => {
    await expect(listBlockTexts(bytes)).resolves.toEqual(['Preise für Möbel']);
  });

  it('readText decodes the quotes and the euro sign of Windows-1252', async () => {
    await expect(listBlockTexts(Uint8Array.of(0x93, 0x80, 0x35, 0x94))).resolves.toEqual(['“€5”']);
  });

  it('readText omits control characters and invisible characters', async () => {
    await expect(listBlockTexts('a\0b\u0007c soft\u00adhyphen zero\u200bwidth')).resolves.toEqual([
      'abc softhyphen zerowidth',
    ]);
  });

  it('readText keeps a zero-width space between two words of a script without spaces', async () => {
    const text = '\u200bភាសា\u200bខ្មែរ\u200b, \u200b\u200bภาษา\u200b\u200bไทย\u200b\u200bPDF ပစ္စည်း\u200bဈေး\u200b';
    const [stored = ''] = await listBlockTexts(text);
    expect(stored).toBe('ភាសា\u200bខ្មែរ, ภาษา\u200bไทยPDF ပစ္စည်း\u200bဈေး');
    expect(extractTerms(stored)).toEqual(extractTerms(text));
  });

  it('readText removes zero-width spaces from a name, and the search terms of the name stay the same', async () => {
    const text = 'get\u200bUser\u200b\u200bName';
    await expect(listBlockTexts(text)).resolves.toEqual(['getUserName']);
    expect(extractTerms(text)).toEqual(extractTerms('getUserName'));
  });

  it('readText omits embedded base64 files and the escape sequences of terminal colours', async () => {
    const picture = Buffer.from(Array.from({ length: 3_000 }, (_, at) => (at * 7 + (at >> 3)) % 256)).toString(
      'base64',
    );
    const mail = `Here it is:\n\n${picture.replace(/.{76}/g, '$&\n')}\n\n\u001b[31mERROR\u001b[0m end`;
    await expect(listBlockTexts(mail)).resolves.toEqual(['Here it is:', 'ERROR end']);
  });

  it('readText cuts a very long paragraph into several blocks without losing text', { timeout: 20_000 }, async () => {
    const oneLine = 'word '.repeat(60_000) + '🙂'.repeat(100_000);
    const parts = await listBlockTexts(oneLine);
    expect(parts.length).toBeGreaterThan(4);
    expect(parts.join('')).toBe(oneLine);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
  });

  it('readText yields well-formed, non-empty blocks for arbitrary bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        for (const text of await listBlockTexts(bytes)) {
          expect(text.trim()).not.toBe('');
          expect(text.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
