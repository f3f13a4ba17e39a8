import uPlot from 'uplot';
import type { Formats } from '../../language/formats.js';
import { selectLabeledDays } from './day-ranges.js';
import { findIsolatedDays, stackSeries, type DayChartData, type DaySeries } from './day-series.js';

const HEIGHT = 200;
/** Width that the label of a day needs on the x axis, in pixels. */
const LABEL_WIDTH = 76;

interface ChartOptions {
  readonly container: HTMLElement;
  readonly data: DayChartData;
  readonly formats: Formats;
  /** Called with the index of the day under the pointer; with undefined when the pointer leaves the chart. */
  readonly onPoint: (day: number | undefined) => void;
}

/**
 * Draws a chart into an element, and draws it again when the width of the element changes. The x axis shows indexes of
 * days instead of times, so that the chart does not depend on time zones.
 *
 * @returns a function that removes the chart
 */
export function drawChart({ container, data, formats, onPoint }: ChartOptions): () => void {
  const series = data.kind === 'bars' ? stackSeries(data.series) : data.series;
  const plot = new uPlot(
    {
      width: container.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { setScale: false, x: false, y: false }, points: { show: data.kind === 'line' } },
      scales: {
        x: { time: false, range: [-0.6, data.days.length - 0.4] },
        y: { range: (_plot, _min, max) => [0, computeAxisEnd(max)] },
      },
      axes: buildChartAxes(container, data, formats),
      series: [{}, ...series.map((one) => buildChartSeries(container, data.kind, one))],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    },
    [data.days.map((_day, index) => index), ...series.map(({ values }) => [...values])],
    container,
  );
  const observer = new ResizeObserver(() => {
    plot.setSize({ width: container.clientWidth, height: HEIGHT });
  });
  observer.observe(container);
  return () => {
    observer.disconnect();
    plot.destroy();
  };
}

/** Returns the value at the upper end of the y axis: at least 4, and above the highest value of the chart. */
function computeAxisEnd(max: number): number {
  return max > 0 ? Math.max(4, max * 1.1) : 4;
}

function buildChartAxes(container: HTMLElement, { days }: DayChartData, { compact, shortDay }: Formats): uPlot.Axis[] {
  const look = {
    stroke: resolveThemeColor(container, '--text-muted'),
    font: `12px ${getComputedStyle(container).fontFamily}`,
    ticks: { show: false },
  };
  const line = resolveThemeColor(container, '--line');
  return [
    {
      ...look,
      grid: { show: false },
      size: 28,
      splits: ({ width }) => [...selectLabeledDays(days.length, Math.floor(width / LABEL_WIDTH))],
      values: (_plot, splits) => splits.map((day) => shortDay(days[day] ?? '')),
    },
    {
      ...look,
      grid: { stroke: line, width: 1 },
      size: 56,
      // All values are whole numbers, so the distance of the axis labels is at least 1.
      incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, ...[3, 4, 5, 6, 7, 8, 9, 10, 11, 12].flatMap(listAxisSteps)],
      values: (_plot, splits) => splits.map((value) => compact(value)),
    },
  ];
}

/** Returns the numbers 1, 2 and 5, each multiplied by a power of ten. */
function listAxisSteps(exponent: number): readonly number[] {
  return [1, 2, 5].map((factor) => factor * 10 ** exponent);
}

function buildChartSeries(container: HTMLElement, kind: DayChartData['kind'], series: DaySeries): uPlot.Series {
  const color = resolveThemeColor(container, series.color);
  if (kind === 'bars') {
    const paths = uPlot.paths.bars?.({ size: [0.7, 28] });
    return { fill: color, width: 0, points: { show: false }, ...(paths === undefined ? {} : { paths }) };
  }
  // A day whose neighbors have no value needs a point, because a line needs two values.
  const filter = (_plot: uPlot, _at: number, hasPoints: boolean): number[] | null =>
    hasPoints ? null : [...findIsolatedDays(series)];
  return { stroke: color, width: 2, points: { size: 5, fill: color, filter } };
}

/** Returns the CSS color in a custom property of the theme, because a canvas does not support custom properties. */
function resolveThemeColor(container: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  container.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
