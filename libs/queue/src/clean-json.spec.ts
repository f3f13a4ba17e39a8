import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toErrorWithCleanText, cleanJson, replaceUnstorableCharacters, isCleanJson } from './clean-json.js';

const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

describe('cleaning text', () => {
  it('replaceUnstorableCharacters replaces NUL and unpaired surrogates, and nothing else', () => {
    expect(replaceUnstorableCharacters('a\0b \uD83D \uDE00 😀 \t\n')).toBe('a\uFFFDb \uFFFD \uFFFD 😀 \t\n');
  });

  it('replaceUnstorableCharacters returns text of the same length that UTF-8 can encode', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const clean = replaceUnstorableCharacters(text);
        expect(clean).toHaveLength(text.length);
        expect(Buffer.from(clean, 'utf8').toString('utf8')).toBe(clean);
        expect(clean).not.toContain('\0');
      }),
    );
  });
});

describe('cleaning JSON values', () => {
  it('cleanJson cleans strings and field names at any depth, and keeps all other values that JSON can express', () => {
    const value = { 'k\0': ['a\0', { deep: '\uD800' }], n: 1.5, yes: true, none: null, gone: undefined };
    expect(cleanJson(value)).toEqual({ 'k\uFFFD': ['a\uFFFD', { deep: '\uFFFD' }], n: 1.5, yes: true, none: null });
  });

  it('cleanJson does not change a value in which all strings are clean', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const carried: unknown = JSON.parse(JSON.stringify(value));
        fc.pre(!JSON.stringify(carried).includes('\\u'));
        expect(cleanJson(value)).toEqual(carried);
      }),
    );
  });
});

describe('the check for clean JSON text', () => {
  it('isCleanJson returns true for JSON without Unicode escapes, and false for any JSON that cleanJson would change', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.dictionary(anyText, anyText), fc.array(fc.string())), (value) => {
        const json = JSON.stringify(value);
        if (isCleanJson(json)) expect(cleanJson(value)).toEqual(JSON.parse(json));
        else expect(json).toContain('\\u');
      }),
    );
  });

  it('isCleanJson may return false for clean text with an escaped backslash, and returns false for empty text', () => {
    expect(isCleanJson(JSON.stringify('\\u0000'))).toBe(false);
    expect(isCleanJson('')).toBe(false);
    expect(isCleanJson(JSON.stringify('\u0001 😀 é'))).toBe(true);
  });
});

describe('cleaning errors', () => {
  it('toErrorWithCleanText returns an error with a clean message and stack, whose cause is the original error', () => {
    const error = new Error('bad \0');
    const clean = toErrorWithCleanText(error);
    expect(clean).toMatchObject({ message: 'bad \uFFFD', cause: error });
    expect(clean.stack).not.toContain('\0');
    expect(toErrorWithCleanText('just text').message).toBe('just text');
  });
});
