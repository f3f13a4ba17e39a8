import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useColorScheme } from '../../appearance/theme.js';
import '../../components/panel.css';
import { Table } from '../../components/table.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { drawChart } from './draw-chart.js';
import type { DayChartData, DaySeries } from './day-series.js';
import { usageMessages } from './messages.js';
import './usage.css';

interface DayChartProps {
  readonly title: string;
  /** Text beside the title that sums up the shown days, such as a total. */
  readonly summary?: string;
  readonly hint?: string;
  readonly data: DayChartData;
}

/**
 * Shows a chart with one value per day, and the values of the day under the pointer. A table shows the same values to
 * users of keyboards and screen readers.
 */
export function DayChart({ title, summary, hint, data }: DayChartProps): ReactNode {
  const messages = useMessages(usageMessages);
  const formats = useFormats();
  const scheme = useColorScheme();
  const container = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    if (container.current === null) return;
    return drawChart({ container: container.current, data, formats, onPoint: setPointed });
    // The chart is drawn again after a change of the theme, because the colors of a canvas do not follow the theme.
  }, [data, formats, scheme]);
  return (
    <section aria-label={title} className="panel usage-chart">
      <div className="usage-chart-head">
        <h2>{title}</h2>
        {summary !== undefined && <span className="muted numbers">{summary}</span>}
      </div>
      <DayChartLegend data={data} day={pointed} />
      <div aria-hidden="true" className="usage-plot" ref={container} />
      {hint !== undefined && <p className="field-hint">{hint}</p>}
      <details className="usage-table">
        <summary>{messages.asTable(title)}</summary>
        <DayTable data={data} title={title} />
      </details>
    </section>
  );
}

/** Shows the names of the series, each with its value on the day under the pointer. `day` is the index of that day. */
function DayChartLegend({ data, day }: { readonly data: DayChartData; readonly day: number | undefined }): ReactNode {
  const formats = useFormats();
  const date = day === undefined ? undefined : data.days[day];
  // The title of a chart with one series names the series, so the legend is empty unless the pointer is on a day.
  const shown = data.series.length === 1 && date === undefined ? [] : data.series;
  return (
    <p aria-hidden="true" className="usage-legend numbers">
      {shown.map(({ name, color, values }) => (
        <span key={name}>
          <span className={`usage-color usage-color${color}`} />
          {name}
          {date !== undefined && <strong>{formatValueOrDash(values[day ?? 0] ?? null, formats.number)}</strong>}
        </span>
      ))}
      {date !== undefined && <span className="muted">{formats.day(date)}</span>}
    </p>
  );
}

function formatValueOrDash(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value);
}

interface DayRow {
  readonly day: string;
  readonly values: readonly (number | null)[];
}

function DayTable({ title, data }: Pick<DayChartProps, 'title' | 'data'>): ReactNode {
  const messages = useMessages(usageMessages);
  const formats = useFormats();
  const rows = data.days
    .map((day, at): DayRow => ({ day, values: data.series.map(({ values }) => values[at] ?? null) }))
    .toReversed();
  return (
    <Table
      columns={[
        {
          key: 'day',
          title: messages.day,
          render: ({ day }: DayRow) => <time dateTime={day}>{formats.day(day)}</time>,
        },
        ...data.series.map(({ name }: DaySeries, at: number) => ({
          key: name,
          title: name,
          kind: 'number' as const,
          render: ({ values }: DayRow) => {
            const value = values[at] ?? null;
            return value === null ? <span className="muted">{messages.notRecorded}</span> : formats.number(value);
          },
        })),
      ]}
      getKey={({ day }) => day}
      isReadOnly
      label={messages.asTable(title)}
      rows={rows}
    />
  );
}
