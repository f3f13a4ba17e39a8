import { plainNumber } from './plain-number.js';
import { descendants, firstBelow, type XmlElement } from './xml.js';

/**
 * A chart as a table: a row a category, a column a series, from the values that the file keeps beside the formulas.
 * Source: ECMA-376, part 1, section 21.2.
 */
export function chartTable(chart: XmlElement): {
  /** Such as `Bar chart: Sales by year`. */
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
} {
  const series = [...descendants(chart, 'ser')].map((element) => ({
    name: firstBelow(element, 'tx'),
    categories: points(firstBelow(element, 'cat') ?? firstBelow(element, 'xVal')),
    values: points(firstBelow(element, 'val') ?? firstBelow(element, 'yVal')),
  }));
  const categories = series.find((one) => one.categories.length > 0)?.categories ?? [];
  const length = Math.max(categories.length, ...series.map((one) => one.values.length), 0);
  const header = ['', ...series.map(({ name }) => points(name)[0] ?? '')];
  const rows = Array.from({ length }, (_, index) => [
    categories[index] ?? '',
    ...series.map((one) => one.values[index] ?? ''),
  ]);
  return {
    title: [kindOf(chart), titleOf(chart)].filter((part) => part !== '').join(': '),
    rows: length === 0 ? [] : [header, ...rows],
  };
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

/** `barChart` and `bar3DChart` are bar charts. The first of several in one drawing is its kind. */
function kindOf(chart: XmlElement): string {
  const area = firstBelow(chart, 'plotArea')?.children.find((element) => element.name.endsWith('Chart'));
  const kind = area?.name.replace(/(?:3D)?Chart$/, '') ?? '';
  return kind === '' ? '' : `${kind.charAt(0).toUpperCase()}${kind.slice(1)} chart`;
}

function titleOf(chart: XmlElement): string {
  const title = firstBelow(chart, 'title');
  return title === undefined
    ? ''
    : [...descendants(title, 't')]
        .map(({ text }) => text)
        .join('')
        .trim();
}
