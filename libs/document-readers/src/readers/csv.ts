import { parse, type Options } from 'csv-parse/sync';
import { cleanText } from './clean-text.js';
import { decodeText } from './decoding/decode-text.js';
import type { Reader } from './reader.js';
import { looksLikeHeader, tableBlocks } from './tables/table-blocks.js';
import { titledTable } from './tables/titled-table.js';

const DELIMITERS = [',', ';', '\t', '|'];
/** What Excel writes above a table for itself. */
const DELIMITER_HINT = /^sep=(.)\n/i;
/** How much of a file its delimiter is taken from, in characters. */
const SAMPLE = 20_000;

/**
 * Tables as text: fields between commas, semicolons, tabs or bars, whichever divides the lines most evenly. Lines of one field
 * above the names of the columns are the table's title.
 */
export const readCsv: Reader = async function* (bytes) {
  const text = cleanText(await decodeText(bytes));
  if (text.trim() === '') return;
  const hint = DELIMITER_HINT.exec(text);
  const rows = recordsOf(text.slice(hint?.[0].length ?? 0), hint?.[1] ?? delimiterOf(text));
  const place = { headingPath: [], page: null, location: null };
  if (rows.some((row) => row.length > 1)) yield* titledTable(place, rows, 1);
  else yield* tableBlocks({ rows, firstRow: 1, hasHeader: looksLikeHeader(rows), place });
};

/** A quote that is never closed is a character like any other. */
function recordsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  // White space before a quote would make it a part of the text; a tab is white space too.
  const ltrim = delimiter !== '\t';
  const options = { delimiter, ltrim, relax_column_count: true, skip_empty_lines: true } as const;
  try {
    return records(text, { ...options, relax_quotes: true });
  } catch {
    return records(text, { ...options, quote: false });
  }
}

function records(text: string, options: Options): readonly (readonly string[])[] {
  return parse(text, options);
}

function delimiterOf(text: string): string {
  const sample = text.length > SAMPLE ? text.slice(0, text.lastIndexOf('\n', SAMPLE) + 1 || SAMPLE) : text;
  const [best = ','] = DELIMITERS.toSorted((one, other) => evenness(sample, other) - evenness(sample, one));
  return best;
}

/** How many fields most lines have, where most agree; nothing for a delimiter that divides no line. */
function evenness(sample: string, delimiter: string): number {
  const widths = recordsOf(sample, delimiter).map((record) => record.length);
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [[width, lines] = [1, 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  return width < 2 ? 0 : lines / widths.length + Math.min(width, 50) / 1_000;
}
