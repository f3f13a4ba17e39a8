import type { Box } from './glyph-box.js';
import { mainTurnOf, type Glyph, type Turn } from './glyphs.js';

/** Characters of a page that run in one direction. */
export interface Turned {
  /** Turned so that they stand upright, with the page around them. */
  readonly glyphs: readonly Glyph[];
  /** How far they have to be turned on to stand as they do where most of the page stands upright: 0 for most of the page. */
  readonly aside: Turn;
}

/**
 * Wide tables stand on their side on an upright page, or the whole page is turned. As it is read, text runs from left to right:
 * characters that run in other directions are turned.
 *
 * @returns what runs as most of the page does comes last
 */
export function turnedUpright(glyphs: readonly Glyph[]): readonly Turned[] {
  if (glyphs.every(({ turn, drawn }) => turn === 0 || !drawn)) return [{ glyphs, aside: 0 }];
  const parts = new Map<Turn, Glyph[]>();
  let turn = glyphs.find(({ drawn }) => drawn)?.turn ?? 0;
  for (const glyph of glyphs) {
    if (glyph.drawn) turn = glyph.turn;
    const part = parts.get(turn) ?? [];
    parts.set(turn, part);
    part.push(turn === 0 ? glyph : { ...glyph, ...turnedBack(glyph, turn) });
  }
  const main = mainTurnOf(glyphs);
  const turned = [...parts].map(([of, part]) => ({ glyphs: part, aside: ASIDE[(of - main + 4) % 4] ?? 0 }));
  return turned.toSorted((one, other) => other.aside - one.aside);
}

/** A box with the page around it, turned clockwise. */
export function turnedBack({ left, right, bottom, top }: Box, turn: Turn): Box {
  switch (turn) {
    case 0:
      return { left, right, bottom, top };
    case 1:
      return { left: bottom, right: top, bottom: -right, top: -left };
    case 2:
      return { left: -right, right: -left, bottom: -top, top: -bottom };
    case 3:
      return { left: -top, right: -bottom, bottom: left, top: right };
  }
}

/** By how far characters are turned against most of the page: how far they have to be turned clockwise, once they stand upright. */
const ASIDE: readonly Turn[] = [0, 3, 2, 1];
