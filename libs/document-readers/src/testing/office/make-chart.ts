import { OFFICE } from './package.js';

export const DRAWING = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
export const CHART = `xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="${OFFICE}"`;

/** Builds ChartML of a bar chart. Each series has a name and a value per category. */
export function makeChart(
  title: string,
  categories: readonly (string | number)[],
  series: Readonly<Record<string, readonly number[]>>,
): string {
  const createPoints = (values: readonly (string | number)[]): string =>
    `<c:cache>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:cache>`;
  const all = Object.entries(series).map(
    ([name, values]) =>
      `<c:ser><c:tx>${createPoints([name])}</c:tx><c:cat>${createPoints(categories)}</c:cat><c:val>${createPoints(values)}</c:val></c:ser>`,
  );
  return `<c:chartSpace ${CHART} ${DRAWING}><c:chart><c:title><a:p><a:r><a:t>${title}</a:t></a:r></a:p></c:title><c:plotArea><c:bar3DChart>${all.join('')}</c:bar3DChart></c:plotArea></c:chart></c:chartSpace>`;
}
