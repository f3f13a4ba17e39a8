import { parse, type Options } from 'csv-parse/sync';
import { normalizeForStorage } from './normalize-for-storage.js';
import { decodeText } from './decoding/decode-text.js';
import type { Reader } from './reader.js';
import { isHeaderRow, createTableBlocks } from './tables/format-table.js';
import { createTitledTableBlocks } from './tables/titled-table.js';

const COMMA = ',';
const OTHER_DELIMITERS = [';', '\t', '|'];
/** Matches a first line that names the delimiter, such as `sep=;` in files from Excel. */
const DELIMITER_HINT = /^sep=(.)\n/i;
/** Matches a comma that can be a decimal sign, and the digits before it. A list such as `1,2,3` does not match. */
const DECIMAL_COMMA = /(?<![\d,])(\d+),(?=\d+(?![\d,]))/g;
/** Maximum number of characters of a file that are examined to detect its delimiter. */
const SAMPLE_CHARACTERS = 20_000;

/**
 * Reads CSV and similar files. The delimiter is the comma, semicolon, tab or bar that divides the lines most evenly.
 * Lines with a single field above the header are the title of the table.
 */
export const readCsv: Reader = async function* (bytes) {
  const decoded = await decodeText(bytes);
  // Reads the line `sep=` and counts empty lines before the normalization, which removes a tab at the end of the line
  // and empty lines above the table.
  const [line = '', declared] = DELIMITER_HINT.exec(decoded) ?? [];
  const content = decoded.slice(line.length);
  const text = normalizeForStorage(content);
  if (text.trim() === '') return;
  const records = [
    ...Array.from({ length: countEmptyLinesAbove(content) }, () => ['']),
    ...parseCsvRecords(text, declared ?? detectDelimiter(text)),
  ];
  const rows = records.filter((record) => !isEmptyRecord(record));
  const emptyRows = records.flatMap((record, index) => (isEmptyRecord(record) ? [index + 1] : []));
  const position = { headingPath: [], page: null, location: null, emptyRows };
  if (rows.some((row) => row.length > 1)) yield* createTitledTableBlocks(position, rows, 1);
  else yield* createTableBlocks({ rows, firstRow: 1, hasHeader: isHeaderRow(rows), position });
};

function countEmptyLinesAbove(content: string): number {
  const [above = ''] = /^\s*/.exec(content) ?? [];
  return above.split('\n').length - 1;
}

/** Returns whether a record is that of an empty line. */
function isEmptyRecord(record: readonly string[]): boolean {
  return record.length === 1 && record[0] === '';
}

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
  return { delimiter, ltrim: delimiter !== '\t', relax_column_count: true };
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
  const comma = measureDivision(sample, COMMA);
  const [rival = comma] = OTHER_DELIMITERS.map((delimiter) => measureDivision(sample, delimiter)).toSorted(
    compareDivisions,
  );
  if (rival.evenness < comma.evenness) return compareDivisions(comma, rival) <= 0 ? COMMA : rival.delimiter;
  // Another delimiter divides the lines at least as evenly as the comma. So commas between digits count as decimal or
  // thousands separators.
  const commaOfText = measureDivision(sample.replace(DECIMAL_COMMA, '$1.'), COMMA);
  return compareDivisions(commaOfText, rival) <= 0 ? COMMA : rival.delimiter;
}

/** Describes how a delimiter divides the lines of a sample. */
interface Division {
  readonly delimiter: string;
  /** Share of the lines that have the most common number of fields. 0 if that number is 1. */
  readonly evenness: number;
  /** The most common number of fields per line. */
  readonly width: number;
}

function measureDivision(sample: string, delimiter: string): Division {
  const records = parseSampleRecords(sample, delimiter).filter((record) => !isEmptyRecord(record));
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [[width, lines] = [1, 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  return { delimiter, evenness: width < 2 ? 0 : lines / records.length, width };
}

/** Orders the more even division first. Many fields per line outweigh a few uneven lines. */
function compareDivisions(one: Division, other: Division): number {
  return scoreDivision(other) - scoreDivision(one);
}

function scoreDivision({ evenness, width }: Division): number {
  return evenness === 0 ? 0 : evenness + Math.min(width, 50) / 1_000;
}
