import { parse, type Options } from 'csv-parse/sync';
import { normalizeForStorage } from './normalize-for-storage.js';
import { decodeText } from './decoding/decode-text.js';
import type { Reader } from './reader.js';
import { isHeaderRow, createTableBlocks } from './tables/format-table.js';
import { createTitledTableBlocks } from './tables/titled-table.js';

const DELIMITERS = [',', ';', '\t', '|'];
/** Matches a first line that names the delimiter, such as `sep=;` in files from Excel. */
const DELIMITER_HINT = /^sep=(.)\n/i;
/** Maximum number of characters of a file that are examined to detect its delimiter. */
const SAMPLE_CHARACTERS = 20_000;

/**
 * Reads CSV and similar files. The delimiter is the comma, semicolon, tab or bar that divides the lines most evenly.
 * Lines with a single field above the header are the title of the table.
 */
export const readCsv: Reader = async function* (bytes) {
  const text = normalizeForStorage(await decodeText(bytes));
  if (text.trim() === '') return;
  const hint = DELIMITER_HINT.exec(text);
  const rows = parseCsvRecords(text.slice(hint?.[0].length ?? 0), hint?.[1] ?? detectDelimiter(text));
  const position = { headingPath: [], page: null, location: null };
  if (rows.some((row) => row.length > 1)) yield* createTitledTableBlocks(position, rows, 1);
  else yield* createTableBlocks({ rows, firstRow: 1, hasHeader: isHeaderRow(rows), position });
};

/** Parses a table into records with fields. If a quote is never closed, all quotes are ordinary characters. */
function parseCsvRecords(text: string, delimiter: string): readonly (readonly string[])[] {
  const options = createParserOptions(delimiter);
  try {
    return parseCsvWithOptions(text, { ...options, relax_quotes: true });
  } catch {
    return parseCsvWithOptions(text, { ...options, quote: false });
  }
}

function createParserOptions(delimiter: string): Options {
  // Without `ltrim`, the parser reads a quote after white space as text. With the delimiter tab, `ltrim` would remove
  // empty fields, because a tab is white space.
  return { delimiter, ltrim: delimiter !== '\t', relax_column_count: true, skip_empty_lines: true };
}

/** Parses the records of a sample. If the sample ends inside a quoted field, excludes the record of this field. */
function parseSampleRecords(sample: string, delimiter: string): readonly (readonly string[])[] {
  const whole: string[][] = [];
  const collectRecord = (record: string[]): null => {
    whole.push(record);
    return null;
  };
  const options = createParserOptions(delimiter);
  try {
    parseCsvWithOptions(sample, { ...options, relax_quotes: true, on_record: collectRecord });
  } catch {
    if (whole.length === 0) return parseCsvRecords(sample, delimiter);
  }
  return whole;
}

function parseCsvWithOptions(text: string, options: Options): readonly (readonly string[])[] {
  return parse(text, options);
}

function detectDelimiter(text: string): string {
  const sample =
    text.length > SAMPLE_CHARACTERS
      ? text.slice(0, text.lastIndexOf('\n', SAMPLE_CHARACTERS) + 1 || SAMPLE_CHARACTERS)
      : text;
  const [best = ','] = DELIMITERS.toSorted((one, other) => scoreDelimiter(sample, other) - scoreDelimiter(sample, one));
  return best;
}

/**
 * Scores a delimiter by the share of lines that it divides into the most common number of fields. Returns 0 if that
 * number is 1.
 */
function scoreDelimiter(sample: string, delimiter: string): number {
  const widths = parseSampleRecords(sample, delimiter).map((record) => record.length);
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  const [[width, lines] = [1, 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  return width < 2 ? 0 : lines / widths.length + Math.min(width, 50) / 1_000;
}
