import { plainNumber } from './plain-number.js';
import { child, descendants, firstBelow, type XmlElement } from './xml.js';

/**
 * A chart as a table: a row a category, a column a series, from the values that the file keeps beside the formulas.
 * Source: ECMA-376, part 1, section 21.2.
 */
export function chartTable(chart: XmlElement): {
  /** Such as `Bar chart: Sales by year (Year; Pieces)`: what its axes are called stands behind. */
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
} {
  const columns = [...descendants(chart, 'ser')].flatMap(columnsOf);
  const categories = columns.find((one) => one.categories.length > 0)?.categories ?? [];
  const length = Math.max(categories.length, ...columns.map((one) => one.values.length), 0);
  const header = ['', ...columns.map(({ name }) => name)];
  const rows = Array.from({ length }, (_, index) => [
    categories[index] ?? '',
    ...columns.map((one) => one.values[index] ?? ''),
  ]);
  return { title: titleOf(chart), rows: length === 0 ? [] : [header, ...rows] };
}

interface Column {
  readonly name: string;
  readonly categories: readonly string[];
  readonly values: readonly string[];
}

/** A series; those of bubbles have their sizes in a column of their own. */
function columnsOf(series: XmlElement): readonly Column[] {
  const name = points(child(series, 'tx'))[0] ?? firstBelow(child(series, 'tx'), 'v')?.text ?? '';
  const categories = categoriesOf(child(series, 'cat') ?? child(series, 'xVal'));
  const values = points(child(series, 'val') ?? child(series, 'yVal'));
  const sizes = points(child(series, 'bubbleSize'));
  const column = { name, categories, values };
  return sizes.length === 0 ? [column] : [column, { name: `${name} (size)`.trim(), categories, values: sizes }];
}

/** Of categories in groups, each has the names of its groups in front. Source: ECMA-376, part 1, section 21.2.2.95. */
function categoriesOf(element: XmlElement | undefined): readonly string[] {
  const levels = element === undefined ? [] : [...descendants(element, 'lvl')];
  const [names = [], ...groups] = levels.map(points);
  if (levels.length === 0) return points(element);
  return names.map((name, index) => {
    const around = groups.map((group) => group.slice(0, index + 1).findLast((text) => text !== '') ?? '');
    return [...around.reverse(), name].filter((text) => text !== '').join(' ');
  });
}

function points(element: XmlElement | undefined): readonly string[] {
  if (element === undefined) return [];
  const values: string[] = [];
  for (const point of descendants(element, 'pt')) {
    const index = Number(point.attributes['idx'] ?? values.length);
    if (Number.isInteger(index) && index >= 0 && index < MAX_POINTS)
      values[index] = shown(firstBelow(point, 'v')?.text ?? '');
  }
  return Array.from(values, (value: string | undefined) => value ?? '');
}

/** Numbers are kept in binary, to more digits than they have. */
function shown(value: string): string {
  return /^-?\d+\.\d{15,}$/.test(value) ? plainNumber(Number(value)) : value;
}

const MAX_POINTS = 10_000;

function titleOf(chart: XmlElement): string {
  const title = textOf(child(firstBelow(chart, 'chart'), 'title'));
  const named = [kindOf(chart), title].filter((part) => part !== '').join(': ');
  const axes = (firstBelow(chart, 'plotArea')?.children ?? [])
    .map((axis) => textOf(child(axis, 'title')))
    .filter((text) => text !== '');
  return axes.length === 0 ? named : `${named} (${axes.join('; ')})`.trim();
}

/** `barChart` and `bar3DChart` are bar charts. The first of several in one drawing is its kind. */
function kindOf(chart: XmlElement): string {
  const area = firstBelow(chart, 'plotArea')?.children.find((element) => element.name.endsWith('Chart'));
  const kind = area?.name.replace(/(?:3D)?Chart$/, '') ?? '';
  return kind === '' ? '' : `${kind.charAt(0).toUpperCase()}${kind.slice(1)} chart`;
}

/** Of a title, which is written out or comes from a cell. */
function textOf(title: XmlElement | undefined): string {
  if (title === undefined) return '';
  const written = [...descendants(title, 't')].map(({ text }) => text).join('');
  return (written === '' ? points(title).join(' ') : written).replace(/\s+/g, ' ').trim();
}
