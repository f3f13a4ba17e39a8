import { formatNumber } from './format-number.js';
import { createNumberFormatter } from './number-format.js';
import { findChild, findDescendants, findDescendant, type XmlElement } from './xml.js';

/**
 * Reads a chart as a table, with a row per category and a column per series. Uses the copies of the cell values that
 * the chart contains. Source: ECMA-376, part 1, section 21.2.
 */
export function readChart(chart: XmlElement): {
  /**
   * Kind and title of the chart, such as `Bar chart: Sales by year (Year; Pieces)`, with the axis titles in brackets.
   */
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
} {
  const from1904 = usesDatesFrom1904(chart);
  const columns = [...findDescendants(chart, 'ser')].flatMap((series) => readSeriesColumns(series, from1904));
  const categories = columns.find((one) => one.categories.length > 0)?.categories ?? [];
  const length = Math.max(categories.length, ...columns.map((one) => one.values.length), 0);
  const header = ['', ...columns.map(({ name }) => name)];
  const rows = Array.from({ length }, (_, index) => [
    categories[index] ?? '',
    ...columns.map((one) => one.values[index] ?? ''),
  ]);
  return { title: getChartTitle(chart), rows: length === 0 ? [] : [header, ...rows] };
}

/** Returns whether day 0 of the dates is in 1904. Source: ECMA-376, part 1, section 21.2.2.38. */
function usesDatesFrom1904(chart: XmlElement): boolean {
  const setting = findDescendant(chart, 'date1904');
  return setting !== undefined && !['0', 'false'].includes(setting.attributes['val'] ?? '');
}

interface Column {
  readonly name: string;
  readonly categories: readonly string[];
  readonly values: readonly string[];
}

/** Returns the table column of a series, and a second column for its bubble sizes, if the series has bubble sizes. */
function readSeriesColumns(series: XmlElement, from1904: boolean): readonly Column[] {
  const name = readPointValues(findChild(series, 'tx'))[0] ?? findDescendant(findChild(series, 'tx'), 'v')?.text ?? '';
  const categories = readCategoryLabels(findChild(series, 'cat') ?? findChild(series, 'xVal'), from1904);
  const values = readPointValues(findChild(series, 'val') ?? findChild(series, 'yVal'), from1904);
  const sizes = readPointValues(findChild(series, 'bubbleSize'), from1904);
  const column = { name, categories, values };
  return sizes.length === 0 ? [column] : [column, { name: `${name} (size)`.trim(), categories, values: sizes }];
}

/**
 * Returns the labels of the categories. A label contains the names of the groups of the category, then its own name.
 * Source: ECMA-376, part 1, section 21.2.2.95.
 */
function readCategoryLabels(element: XmlElement | undefined, from1904: boolean): readonly string[] {
  const levels = element === undefined ? [] : [...findDescendants(element, 'lvl')];
  const [names = [], ...groups] = levels.map((level) => readPointValues(level));
  if (levels.length === 0) return readPointValues(element, from1904);
  return names.map((name, index) => {
    const groupNames = groups.map((group) => group.slice(0, index + 1).findLast((text) => text !== '') ?? '');
    return [...groupNames.reverse(), name].filter((text) => text !== '').join(' ');
  });
}

/** Returns the texts or numbers of data points. Numbers are formatted as the number format of the point states. */
function readPointValues(element: XmlElement | undefined, from1904 = false): readonly string[] {
  if (element === undefined) return [];
  const format = createPointFormatter(findDescendant(element, 'formatCode')?.text, from1904);
  const values: string[] = [];
  for (const point of findDescendants(element, 'pt')) {
    const index = Number(point.attributes['idx'] ?? values.length);
    const { formatCode } = point.attributes;
    const formatPoint = formatCode === undefined ? format : createPointFormatter(formatCode, from1904);
    if (Number.isInteger(index) && index >= 0 && index < MAX_POINTS)
      values[index] = formatPoint(findDescendant(point, 'v')?.text ?? '');
  }
  return Array.from(values, (value: string | undefined) => value ?? '');
}

/** Creates a formatter for the values of data points. Without a number format, texts remain unchanged. */
function createPointFormatter(pattern: string | undefined, from1904: boolean): (value: string) => string {
  if (pattern === undefined) return formatPointValue;
  const format = createNumberFormatter(pattern, from1904);
  return (value) => (value.trim() !== '' && Number.isFinite(Number(value)) ? format(Number(value)) : value);
}

/**
 * Formats the number of a data point without the rounding error of its binary form, such as 0.1 for
 * 0.10000000000000001.
 */
function formatPointValue(value: string): string {
  return /^-?\d+\.\d{15,}$/.test(value) ? formatNumber(Number(value)) : value;
}

const MAX_POINTS = 10_000;

function getChartTitle(chart: XmlElement): string {
  const title = readTitleText(findChild(findDescendant(chart, 'chart'), 'title'));
  const named = [getChartKind(chart), title].filter((part) => part !== '').join(': ');
  const axes = (findDescendant(chart, 'plotArea')?.children ?? [])
    .map((axis) => readTitleText(findChild(axis, 'title')))
    .filter((text) => text !== '');
  return axes.length === 0 ? named : `${named} (${axes.join('; ')})`.trim();
}

/** Returns the kind of the first plot in a chart, such as `Bar chart` for `barChart` and for `bar3DChart`. */
function getChartKind(chart: XmlElement): string {
  const area = findDescendant(chart, 'plotArea')?.children.find((element) => element.name.endsWith('Chart'));
  const kind = area?.name.replace(/(?:3D)?Chart$/, '') ?? '';
  return kind === '' ? '' : `${kind.charAt(0).toUpperCase()}${kind.slice(1)} chart`;
}

/** Returns the text of a title: literal text, or the text of the referenced cell. */
function readTitleText(title: XmlElement | undefined): string {
  if (title === undefined) return '';
  const written = [...findDescendants(title, 't')].map(({ text }) => text).join('');
  return (written === '' ? readPointValues(title).join(' ') : written).replace(/\s+/g, ' ').trim();
}
