import type { Sizes } from './measure-build-sizes.js';

export interface FrontEnd {
  readonly name: string;
  readonly sizes: Sizes;
  readonly budgets: Sizes;
}

export interface Report {
  readonly frontEnds: readonly FrontEnd[];
  /** The targets that the measurements miss, each as one line of text. */
  readonly missed: readonly string[];
}

const PARTS = [
  ['firstLoad', 'first load'],
  ['all', 'everything'],
] as const;

export function createReport(frontEnds: readonly FrontEnd[]): Report {
  const missed = frontEnds.flatMap(({ name, sizes, budgets }) =>
    PARTS.flatMap(([part, title]) =>
      sizes[part] <= budgets[part]
        ? []
        : [
            `${name}, ${title}: expected at most ${formatKilobytes(budgets[part])} kB, found ${formatKilobytes(sizes[part])}`,
          ],
    ),
  );
  return { frontEnds, missed };
}

/** Formats the report as a table, with each target and whether it is met. */
export function formatReportTable({ frontEnds, missed }: Report): string {
  const formatRow = (name: string, cells: readonly string[]): string =>
    `${name.padEnd(22)}${cells.map((cell) => cell.padStart(10)).join('')}`;
  return [
    'compressed with gzip, in kB',
    formatRow('front end', ['found', 'target', 'result']),
    ...frontEnds.flatMap(({ name, sizes, budgets }) =>
      PARTS.map(([part, title]) => {
        const cells = [formatKilobytes(sizes[part]), formatKilobytes(budgets[part])];
        return formatRow(`${name}, ${title}`, [...cells, sizes[part] <= budgets[part] ? 'met' : 'missed']);
      }),
    ),
    ...missed.map((target) => `MISSED: ${target}`),
  ].join('\n');
}

function formatKilobytes(bytes: number): string {
  return (bytes / 1_000).toFixed(1);
}
