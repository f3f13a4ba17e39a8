import { removeLastAffix } from './affixes.js';
import { removeAccents } from './normalize-text.js';

const SPACE_IN_NAME = /[/:@&=+#?%~]+/;
const APOSTROPHES = /['’]/g;

/**
 * Returns a compound name such as `user@example.com`, the same name without a particle at its end, and the sections of
 * both. A section ends where texts can also have a space.
 */
export function listCompoundNames(run: string): readonly string[] {
  const names = [run, removeLastAffix(run)].flatMap((name) => [name, ...name.split(SPACE_IN_NAME)]);
  const spelled = names.map((name) => removeAccents(name.replace(APOSTROPHES, '')));
  return [...new Set(spelled)].filter((name) => name !== '');
}
