import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSealing, SealBroken, sealingKey } from './index.js';

const key = randomBytes(32);
const sealing = createSealing([key]);

describe('sealing', () => {
  it('gives back any text to its owner', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, owner) => {
        expect(sealing.open(sealing.seal(text, owner), owner)).toBe(text);
      }),
    );
  });

  it('opens for no other owner', () => {
    expect(() => sealing.open(sealing.seal('secret', 'org/one'), 'org/two')).toThrow(SealBroken);
  });

  it('opens nothing that was changed in any place', () => {
    const sealed = sealing.seal('secret', 'owner');
    const at = fc.integer({ min: 0, max: sealed.length - 1 });
    fc.assert(
      fc.property(at, fc.constantFrom('A', 'x', '.', '-'), (position, letter) => {
        const changed = sealed.slice(0, position) + letter + sealed.slice(position + 1);
        // The last letter of base64url holds bits that no byte needs.
        fc.pre(changed !== sealed && position < sealed.length - 1);
        expect(() => sealing.open(changed, 'owner')).toThrow(SealBroken);
      }),
    );
    expect(() => sealing.open('s1.x.', 'owner')).toThrow(/not among ours/);
    expect(() => sealing.open('', 'owner')).toThrow(/expected the form/);
  });

  it('never seals the same text to the same form', () => {
    expect(sealing.seal('secret', 'owner')).not.toBe(sealing.seal('secret', 'owner'));
  });

  it('opens with an old key, and seals with the first', () => {
    const newKey = randomBytes(32);
    const both = createSealing([newKey, key]);
    expect(both.open(sealing.seal('secret', 'owner'), 'owner')).toBe('secret');
    expect(() => sealing.open(both.seal('secret', 'owner'), 'owner')).toThrow(/not among ours/);
  });

  it('takes keys as base64, base64url and hexadecimal digits, of 32 bytes alone', () => {
    for (const form of ['base64', 'base64url', 'hex'] as const) {
      expect(sealingKey(key.toString(form))).toEqual(key);
    }
    expect(() => sealingKey('too short')).toThrow(/32 bytes/);
    expect(() => createSealing([new Uint8Array(16)])).toThrow(/32 bytes, found 16/);
    expect(() => createSealing([])).toThrow(/at least one key/);
  });
});
