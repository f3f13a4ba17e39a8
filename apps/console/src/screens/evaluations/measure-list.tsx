import type { Evaluation } from '@quarry/client';
import type { ReactNode } from 'react';
import { useFormats, useMessages } from '../../language/language-context.js';
import './evaluations.css';
import {
  computeIntervalPosition,
  formatMeasure,
  isDurationMeasure,
  listMeasures,
  type Measure,
  type MetricName,
} from './measures.js';
import { evaluationsMessages } from './messages.js';

/**
 * Shows the measures of an evaluation with their 95 % confidence intervals, drawn on a scale. All shares have one
 * scale, and all durations have another one.
 */
export function MeasureList({ metrics }: { readonly metrics: NonNullable<Evaluation['metrics']> }): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const measures = listMeasures(metrics);
  const slowest = Math.max(
    1,
    ...measures.filter(({ name }) => isDurationMeasure(name)).map(({ measure }) => measure.high),
  );
  return (
    <section aria-labelledby="measures" className="measures">
      <h2 id="measures">{messages.measures}</h2>
      <dl className="measure-list">
        {measures.map(({ name, measure }) => (
          <MeasureRow key={name} measure={measure} name={name} scaleEnd={isDurationMeasure(name) ? slowest : 1} />
        ))}
      </dl>
    </section>
  );
}

interface MeasureRowProps {
  readonly name: MetricName;
  readonly measure: Measure;
  readonly scaleEnd: number;
}

function MeasureRow({ name, measure, scaleEnd }: MeasureRowProps): ReactNode {
  const messages = useMessages(evaluationsMessages);
  const formats = useFormats();
  const { low, width, value } = computeIntervalPosition(measure, scaleEnd);
  const interval = messages.intervalText(
    formatMeasure(name, measure.low, formats),
    formatMeasure(name, measure.high, formats),
  );
  return (
    <>
      <dt>{messages[name]}</dt>
      <dd className="measure-value numbers">{formatMeasure(name, measure.value, formats)}</dd>
      <dd className="measure-scale">
        <span aria-hidden="true" className="measure-track">
          <span className="measure-interval" style={{ left: `${low}%`, width: `${width}%` }} />
          <span className="measure-point" style={{ left: `${value}%` }} />
        </span>
      </dd>
      <dd className="muted numbers measure-text">
        <span className="visually-hidden">{messages.interval} </span>
        {interval}
      </dd>
    </>
  );
}
