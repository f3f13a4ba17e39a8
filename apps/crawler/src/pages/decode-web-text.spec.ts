import { describe, expect, it } from 'vitest';
import { decodeWebText } from './decode-web-text.js';

/** A Japanese word in Shift_JIS. Its bytes are listed, because Node cannot encode this charset. */
const JAPANESE = Buffer.from([0x93, 0xfa, 0x96, 0x7b]);
const RUSSIAN = Buffer.from([0xec, 0xe8, 0xf0]);

const buildWithMetaCharset = (charset: string, rest: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<html><head><meta charset="${charset}"></head><body>`), rest]);

describe('decodeWebText', () => {
  it.each<[string, Uint8Array, string | undefined, string, string]>([
    ['the charset of the header', JAPANESE, 'Shift_JIS', '日本', 'shift_jis'],
    ['the charset of the page', buildWithMetaCharset('shift_jis', JAPANESE), undefined, '日本', 'shift_jis'],
    [
      'the charset of the header rather than of the page',
      buildWithMetaCharset('shift_jis', RUSSIAN),
      'windows-1251',
      'мир',
      'windows-1251',
    ],
    [
      'a charset in http-equiv',
      Buffer.concat([
        Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">'),
        RUSSIAN,
      ]),
      undefined,
      'мир',
      'windows-1251',
    ],
    [
      'an XML declaration',
      Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1251"?>'), RUSSIAN]),
      undefined,
      'мир',
      'windows-1251',
    ],
    ['the byte order mark rather than the header', Buffer.from('\uFEFFwörld', 'utf8'), 'iso-8859-1', 'wörld', 'utf-8'],
    ['UTF-16 with a byte order mark', Buffer.from('\uFEFFwörld', 'utf16le'), 'utf-8', 'wörld', 'utf-16le'],
    ['UTF-8 without a declaration', Buffer.from('wörld'), undefined, 'wörld', 'utf-8'],
    [
      'windows-1252 without a declaration if the bytes are not UTF-8',
      Buffer.from('w\xf6rld \x80', 'latin1'),
      undefined,
      'wörld €',
      'windows-1252',
    ],
    ['UTF-8 that a server declares as ISO-8859-1', Buffer.from('wörld'), 'ISO-8859-1', 'wörld', 'utf-8'],
    ['ISO-8859-1 that a server declares', Buffer.from('w\xf6rld', 'latin1'), 'ISO-8859-1', 'wörld', 'windows-1252'],
    ['UTF-8 for an unknown charset', Buffer.from('wörld'), 'x-unheard-of', 'wörld', 'utf-8'],
    [
      'UTF-8 for a declaration of UTF-16 in ASCII',
      buildWithMetaCharset('utf-16', Buffer.from('wörld')),
      undefined,
      'wörld',
      'utf-8',
    ],
  ])('decodeWebText decodes text with %s', (_what, ...[bytes, header, text, charset]) => {
    const decoded = decodeWebText(bytes, header);
    expect(decoded.charset).toBe(charset);
    expect(decoded.text.endsWith(text)).toBe(true);
    expect(decoded.text.startsWith('\uFEFF')).toBe(false);
  });

  it('decodeWebText replaces invalid bytes with U+FFFD', () => {
    expect(decodeWebText(Buffer.from([0x61, 0xff, 0x62]), 'utf-8').text).toBe('a\uFFFDb');
  });
});
