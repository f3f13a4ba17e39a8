import { TextDecoder } from 'node:util';

const CHARACTER_BYTES = new Map<string, ReadonlyMap<string, readonly number[]>>();

/** Encodes text in an encoding that Node can only decode. Each character has one or two bytes. */
export function encodeWithCharset(label: string, text: string): Uint8Array {
  const bytes = CHARACTER_BYTES.get(label) ?? listCharacterBytes(label);
  CHARACTER_BYTES.set(label, bytes);
  return Uint8Array.from(
    Array.from(text).flatMap((character) => {
      const found = bytes.get(character);
      if (found === undefined) throw new Error(`Expected a character of ${label}, found ${JSON.stringify(character)}.`);
      return found;
    }),
  );
}

function listCharacterBytes(label: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(label, { fatal: true });
  const found = new Map<string, readonly number[]>();
  for (let code = 0; code < 65_536; code += 1) {
    const bytes = code < 256 ? [code] : [code >> 8, code & 255];
    const character = decodeOrReturnEmpty(decoder, Uint8Array.from(bytes));
    if (Array.from(character).length === 1 && !found.has(character)) found.set(character, bytes);
  }
  return found;
}

function decodeOrReturnEmpty(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return '';
  }
}
