import type { Run } from '@quarry/client';
import type { ReactNode } from 'react';
import { useFormats, useMessages } from '../../language/language-context.js';
import { statusMessages } from '../datasources/status-messages.js';

const COUNTERS = ['discovered', 'fetched', 'indexed', 'unchanged', 'skipped', 'failed', 'removed'] as const;

/** Shows the steps of a run with their durations. */
export function RunTimeline({ run }: { readonly run: Run }): ReactNode {
  const messages = useMessages(statusMessages);
  const formats = useFormats();
  return (
    <ol className="timeline">
      {run.timeline.map(({ at, step }, index) => {
        const next = run.timeline[index + 1];
        const isCurrent = next === undefined && run.endedAt === null;
        const ms = next === undefined ? undefined : Date.parse(next.at) - Date.parse(at);
        return (
          <li
            aria-current={isCurrent ? 'step' : undefined}
            className={`timeline-step${isCurrent ? ' timeline-current' : ''}${step === 'error' ? ' timeline-failed' : ''}`}
            key={`${at} ${step}`}
          >
            <span>{messages[step]}</span>
            {ms !== undefined && <span className="muted numbers">{formats.duration(ms)}</span>}
            {isCurrent && <RunStepProgress run={run} />}
          </li>
        );
      })}
    </ol>
  );
}

function RunStepProgress({ run }: { readonly run: Run }): ReactNode {
  const formats = useFormats();
  if (run.progress === null) return null;
  const { done, total } = run.progress;
  if (total === undefined || total === null) return <span className="muted numbers">{formats.number(done)}</span>;
  return (
    <span className="muted numbers">
      {formats.number(done)} / {formats.number(total)}
    </span>
  );
}

/**
 * Names of the counters that are shown only for a run with several documents. The outcome of a single document implies
 * their values.
 */
const STEPS: ReadonlySet<string> = new Set(['discovered', 'fetched']);

/** Shows the counters of a run that are not zero. */
export function RunCounters({ counters }: Pick<Run, 'counters'>): ReactNode {
  const messages = useMessages(statusMessages);
  const formats = useFormats();
  const isSingle = counters.discovered <= 1;
  const shown = COUNTERS.filter((name) => counters[name] > 0 && !(isSingle && STEPS.has(name)));
  if (shown.length === 0) return null;
  return (
    <dl className="counters">
      {shown.map((name) => (
        <div className={name === 'failed' ? 'counter counter-failed' : 'counter'} key={name}>
          <dt>{messages[name]}</dt>
          <dd className="numbers">{formats.number(counters[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
