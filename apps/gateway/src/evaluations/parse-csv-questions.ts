import { parse as parseCsv } from 'csv-parse/sync';
import { createFieldProblem } from '../checks/field-problem.js';

/** The names of the columns with references to relevant passages. They are the fields of `RelevantReference`. */
const REFERENCE_COLUMNS = ['document', 'source', 'datasourceId', 'customId', 'text'];
const COLUMNS = ['id', 'question', 'expected', ...REFERENCE_COLUMNS, 'unanswerable'];
const TRUTH_VALUES: Readonly<Record<string, boolean>> = { '': false, false: false, '0': false, true: true, '1': true };

interface CsvQuestion {
  /** The position of the row in the request, such as `dataset.csv line 3`. */
  readonly at: string;
  /** The question in the form of an `EvaluationQuestion`, before its validation. */
  readonly value: object;
}

/** Reads questions from CSV with a header line. `|` separates the values of a cell. @throws Problem 400 */
export function parseCsvQuestions(text: string): readonly CsvQuestion[] {
  const [header, ...rows] = parseCsvRows(text);
  const columns = header?.cells.map((column) => column.trim()) ?? [];
  const unknown = columns.find((column) => !COLUMNS.includes(column));
  if (unknown !== undefined || !columns.includes('question') || new Set(columns).size < columns.length) {
    throw createFieldProblem(
      'dataset.csv',
      `must begin with a header of distinct columns of ${COLUMNS.join(', ')}, including question; found ${columns.join(', ').slice(0, 200)}`,
    );
  }
  return rows.map(({ line, cells }) => {
    const row = new Map(columns.map((column, index) => [column, cells[index] ?? '']));
    return { at: `dataset.csv line ${line}`, value: toQuestionObject(row) };
  });
}

interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

function parseCsvRows(text: string): readonly Row[] {
  try {
    const rows = parseCsv(text, { bom: true, info: true, skip_empty_lines: true, relax_column_count_less: true });
    // The option `info` adds to each record the number of lines that were read until its end.
    return (rows as unknown as readonly { record: string[]; info: { lines: number } }[]).map(({ record, info }) => ({
      line: info.lines,
      cells: record,
    }));
  } catch (error) {
    throw createFieldProblem('dataset.csv', `must be CSV: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function toQuestionObject(row: ReadonlyMap<string, string>): object {
  const id = row.get('id')?.trim() ?? '';
  const truth = row.get('unanswerable')?.trim().toLowerCase() ?? '';
  return {
    ...(id === '' ? {} : { id }),
    question: row.get('question') ?? '',
    expected: splitCell(row.get('expected')),
    relevant: REFERENCE_COLUMNS.flatMap((column) => splitCell(row.get(column)).map((value) => ({ [column]: value }))),
    unanswerable: TRUTH_VALUES[truth] ?? truth,
  };
}

function splitCell(cell = ''): readonly string[] {
  return cell
    .split('|')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
