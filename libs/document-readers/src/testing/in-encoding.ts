import { TextDecoder } from 'node:util';

/** A text in an encoding that Node reads and does not write, of characters that have one byte or two. */
export function inEncoding(label: string, text: string): Uint8Array {
  const bytes = bytesByCharacter(label);
  return Uint8Array.from(
    Array.from(text).flatMap((character) => {
      const found = bytes.get(character);
      if (found === undefined) throw new Error(`Expected a character of ${label}, found ${JSON.stringify(character)}.`);
      return found;
    }),
  );
}

function bytesByCharacter(label: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(label, { fatal: true });
  const found = new Map<string, readonly number[]>();
  for (let code = 0; code < 65_536; code += 1) {
    const bytes = code < 256 ? [code] : [code >> 8, code & 255];
    const character = decodedOr(decoder, Uint8Array.from(bytes));
    if (Array.from(character).length === 1 && !found.has(character)) found.set(character, bytes);
  }
  return found;
}

function decodedOr(decoder: TextDecoder, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return '';
  }
}
