import type { IngestionFigures } from './measure-ingestion.js';
import type { StoreFigures } from './measure-store.js';

interface Point {
  readonly x: number;
  readonly y: number;
}

interface Line {
  readonly name: string;
  readonly points: readonly Point[];
}

interface Panel {
  readonly title: string;
  readonly xAxis: string;
  readonly lines: readonly Line[];
}

const WIDTH = 320;
const HEIGHT = 260;
const MARGIN = { left: 52, right: 16, top: 36, bottom: 40 };
/** Vertical distance from a point to the base line of its label, in pixels, for a label above the point. */
const LABEL_ABOVE = -6;
const LABEL_BELOW = 15;
const COLOURS: readonly string[] = ['#2f6fab', '#c2571a', '#3f7d3f', '#7a4f9a'];

/**
 * Draws the figures as an SVG: search time and memory over the number of fragments, and speed over the number of
 * workers. All axes are logarithmic.
 */
export function drawFiguresAsSvg(stores: readonly StoreFigures[], ingestion: readonly IngestionFigures[]): string {
  const createLines = (value: (row: StoreFigures) => number): readonly Line[] =>
    [...Map.groupBy(stores, ({ store }) => store)].map(([name, rows]) => ({
      name,
      points: rows.map((row) => ({ x: row.fragments, y: value(row) })),
    }));
  const panels: readonly Panel[] = [
    { title: 'dense search, ms (p50)', xAxis: 'fragments', lines: createLines(({ denseP50 }) => denseP50) },
    { title: 'lexical search, ms (p50)', xAxis: 'fragments', lines: createLines(({ lexicalP50 }) => lexicalP50) },
    { title: 'memory, MiB', xAxis: 'fragments', lines: createLines(({ residentMib }) => residentMib) },
    {
      title: 'documents per second',
      xAxis: 'ingestion workers',
      lines: [
        {
          name: 'ingestion',
          points: ingestion.map(({ workers, documentsPerSecond }) => ({ x: workers, y: documentsPerSecond })),
        },
      ],
    },
  ];
  const visible = panels.filter((panel) => panel.lines.some(({ points }) => points.length > 0));
  const body = visible.map((panel, index) => `<g transform="translate(${index * WIDTH} 0)">${drawPanel(panel)}</g>`);
  const size = `width="${visible.length * WIDTH}" height="${HEIGHT}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="11"><rect ${size} fill="#fff"/>\n${body.join('\n')}\n</svg>\n`;
}

function drawPanel({ title, xAxis, lines }: Panel): string {
  const points = lines.flatMap((line) => line.points);
  const x = createLogarithmicScale(
    points.map((point) => point.x),
    MARGIN.left,
    WIDTH - MARGIN.right,
  );
  const y = createLogarithmicScale(
    points.map((point) => point.y),
    HEIGHT - MARGIN.bottom,
    MARGIN.top,
  );
  const frame = `<path d="M${MARGIN.left} ${MARGIN.top}V${HEIGHT - MARGIN.bottom}H${WIDTH - MARGIN.right}" fill="none" stroke="#888"/>`;
  const xTicks = [...new Set(points.map((point) => point.x))].map(
    (value) => `<text x="${x(value)}" y="${HEIGHT - 24}" text-anchor="middle">${formatTickLabel(value)}</text>`,
  );
  const getLabelShift = (point: Point): number => {
    const isBelowOther = points.some((other) => other.x === point.x && isCloselyAbove(y(other.y), y(point.y)));
    return isBelowOther ? LABEL_BELOW : LABEL_ABOVE;
  };
  const drawnLines = lines.map((line, index) => drawLine(line, index, { x, y, getLabelShift }));
  const heading = `<text x="${MARGIN.left}" y="16" font-weight="bold">${title}</text>`;
  const below = `<text x="${(MARGIN.left + WIDTH) / 2}" y="${HEIGHT - 8}" text-anchor="middle" fill="#555">${xAxis}</text>`;
  return [heading, below, frame, ...xTicks, ...drawnLines].join('');
}

/**
 * Returns whether the point at `one` is so close above the point at `other` that the label above `other` would touch
 * the point at `one`. Both are y positions in pixels.
 */
function isCloselyAbove(one: number, other: number): boolean {
  return one < other && other - one < 2 * LABEL_BELOW;
}

interface Placement {
  readonly x: Scale;
  readonly y: Scale;
  /**
   * Returns the vertical distance from a point to the base line of its label, in pixels; negative for a label above.
   */
  readonly getLabelShift: (point: Point) => number;
}

function drawLine({ name, points }: Line, index: number, { x, y, getLabelShift }: Placement): string {
  const colour = COLOURS[index % COLOURS.length] ?? '#000';
  const path = points.map((point, at) => `${at === 0 ? 'M' : 'L'}${x(point.x)} ${y(point.y)}`).join('');
  const marks = points.map(
    (point) =>
      `<circle cx="${x(point.x)}" cy="${y(point.y)}" r="3" fill="${colour}"/><text x="${x(point.x)}" y="${y(point.y) + getLabelShift(point)}" text-anchor="middle" fill="${colour}">${formatTickLabel(point.y)}</text>`,
  );
  const legend = `<text x="${MARGIN.left + 8 + index * 80}" y="30" fill="${colour}">${name}</text>`;
  return `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${marks.join('')}${legend}`;
}

type Scale = (value: number) => number;

/** Creates a logarithmic scale that maps `values` to pixels between `from` and `to`, with a margin at both ends. */
function createLogarithmicScale(values: readonly number[], from: number, to: number): Scale {
  const logs = values.map(Math.log);
  const [lowest, highest] = [Math.min(...logs) - 0.3, Math.max(...logs) + 0.3];
  return (value) => Math.round(from + ((Math.log(value) - lowest) / (highest - lowest)) * (to - from));
}

function formatTickLabel(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000} M`;
  if (value >= 10_000) return `${Math.round(value / 1_000)} k`;
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(2)));
}
