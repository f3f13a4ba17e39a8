import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretCipher, DecryptionFailed, parseEncryptionKey } from './index.js';

const key = randomBytes(32);
const secretCipher = createSecretCipher([key]);

describe('createSecretCipher', () => {
  it('a secret cipher decrypts every encrypted text if decrypt() gets the same owner as encrypt()', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, owner) => {
        expect(secretCipher.decrypt(secretCipher.encrypt(text, owner), owner)).toBe(text);
      }),
    );
  });

  it('a secret cipher rejects an encrypted text if decrypt() gets another owner than encrypt()', () => {
    expect(() => secretCipher.decrypt(secretCipher.encrypt('secret', 'org/one'), 'org/two')).toThrow(DecryptionFailed);
  });

  it('a secret cipher rejects an encrypted text that was changed at any position', () => {
    const encrypted = secretCipher.encrypt('secret', 'owner');
    const at = fc.integer({ min: 0, max: encrypted.length - 1 });
    fc.assert(
      fc.property(at, fc.constantFrom('A', 'x', '.', '-'), (position, letter) => {
        const changed = encrypted.slice(0, position) + letter + encrypted.slice(position + 1);
        // The last letter is not changed: it contains bits that decoding ignores, so a change may have no effect.
        fc.pre(changed !== encrypted && position < encrypted.length - 1);
        expect(() => secretCipher.decrypt(changed, 'owner')).toThrow(DecryptionFailed);
      }),
    );
    expect(() => secretCipher.decrypt('s1.x.', 'owner')).toThrow(/not configured/);
    expect(() => secretCipher.decrypt('', 'owner')).toThrow(/expected an encrypted text of the form/);
  });

  it('a secret cipher decrypts a text that an earlier version of Quarry encrypted', () => {
    const stored = 's1.2406a653.qnCHGCgK8nSqC-5ytNMHFVuJXn-fwSwaMrirrVGfQLRqow';
    expect(createSecretCipher([new Uint8Array(32).fill(7)]).decrypt(stored, 'owner')).toBe('secret');
  });

  it('a secret cipher encrypts the same text differently each time', () => {
    expect(secretCipher.encrypt('secret', 'owner')).not.toBe(secretCipher.encrypt('secret', 'owner'));
  });

  it('a secret cipher encrypts with the first of its keys, and decrypts with each of them', () => {
    const newKey = randomBytes(32);
    const both = createSecretCipher([newKey, key]);
    expect(both.decrypt(secretCipher.encrypt('secret', 'owner'), 'owner')).toBe('secret');
    expect(() => secretCipher.decrypt(both.encrypt('secret', 'owner'), 'owner')).toThrow(/not configured/);
  });

  it('parseEncryptionKey accepts only keys of 32 bytes, as base64, base64url or hexadecimal digits', () => {
    for (const form of ['base64', 'base64url', 'hex'] as const) {
      expect(parseEncryptionKey(key.toString(form))).toEqual(key);
    }
    expect(() => parseEncryptionKey('too short')).toThrow(/32 bytes/);
    expect(() => createSecretCipher([new Uint8Array(16)])).toThrow(/32 bytes, found 16/);
    expect(() => createSecretCipher([])).toThrow(/at least one key/);
  });
});
