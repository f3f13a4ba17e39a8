import { strToU8, zipSync } from 'fflate';
import type { PackageParts } from './package-parts.js';

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/;
/** In a smaller sheet, in characters, cells without content cost nothing worth saving. */
const LARGE = 1_000_000;
/** Cells and rows that hold nothing but a format and say where they are. Source: ECMA-376, part 1, sections 18.3.1.4 and 18.3.1.73. */
const EMPTY_CELL = /<(?:\w+:)?c\s(?:[^<>]*\s)?r="[^"<>]*"[^<>]*\/>/g;
const EMPTY_ROW = /<((?:\w+:)?row)\s(?:[^<>]*\s)?r="[^"<>]*"[^<>]*(?:\/>|>\s*<\/\1>)/g;

/**
 * Takes out of large sheets the cells and rows that hold nothing: formatting a whole column makes a million of them, and
 * reading them takes minutes.
 *
 * @param bytes a spreadsheet
 * @returns its text parts without them, or the spreadsheet as it was where no sheet is large
 */
export function withoutUnusedCells(bytes: Uint8Array, parts: PackageParts): Uint8Array {
  const trimmed = new Map<string, string>();
  for (const name of parts.names.filter((part) => SHEET.test(part))) {
    const text = parts.text(name) ?? '';
    if (text.length > LARGE) trimmed.set(name, text.replace(EMPTY_CELL, '').replace(EMPTY_ROW, ''));
  }
  if (trimmed.size === 0) return bytes;
  const all = parts.names.map((name) => [name, strToU8(trimmed.get(name) ?? parts.text(name) ?? '')] as const);
  return zipSync(Object.fromEntries(all), { level: 0 });
}
