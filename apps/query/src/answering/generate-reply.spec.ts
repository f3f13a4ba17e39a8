import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WellFormedText } from './generate-reply.js';

describe('WellFormedText', () => {
  it('returns the same well-formed text, however the input is divided into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom('\n', '\r', '\uFEFF', ' '), fc.string({ unit: 'binary', maxLength: 5 }))),
        (parts) => {
          const units = parts.join('').split('');
          const text = new WellFormedText();
          const pieces = units.map((unit) => text.pushText(unit));
          expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
          const expected = units
            .join('')
            .replaceAll('\uFEFF', '')
            .replace(/^[\r\n]+/, '')
            .toWellFormed();
          expect(pieces.join('') + text.endText()).toBe(expected);
        },
      ),
    );
  });

  it('replaces an unpaired surrogate with U+FFFD', () => {
    const text = new WellFormedText();
    expect([text.pushText('a\ud83d'), text.pushText('\ude42b\udc00'), text.pushText('\ud83d'), text.endText()]).toEqual(
      ['a', '🙂b\ufffd', '', '\ufffd'],
    );
  });
});
