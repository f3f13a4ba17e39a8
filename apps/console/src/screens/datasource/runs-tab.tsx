import type { Run } from '@quarry/client';
import type { ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { VirtualList } from '../../components/virtual-list.js';
import { Skeleton } from '../../components/skeleton.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { RunStatus } from '../datasources/datasource-status.js';
import { RunNoteList } from '../datasources/run-notes.js';
import { datasourceMessages } from './messages.js';
import { MissingRuns } from './missing-runs.js';
import { RunCounters, RunTimeline } from './run-timeline.js';

const ROW_HEIGHT = 96;

/** Shows the runs of a datasource, the newest first. */
export function RunsTab({ runs }: { readonly runs: Pages<Run> }): ReactNode {
  const messages = useMessages(datasourceMessages);
  if (runs.isPending) return <Skeleton lines={4} shape="rows" />;
  if (runs.items.length === 0) return <MissingRuns runs={runs} />;
  return (
    <VirtualList
      getKey={({ id }) => id}
      label={messages.runs}
      more={runs.more}
      renderRow={(run) => <RunItem run={run} />}
      rowHeight={ROW_HEIGHT}
      rows={runs.items}
    />
  );
}

function RunItem({ run }: { readonly run: Run }): ReactNode {
  const formats = useFormats();
  const { describeReason } = useServerTexts();
  const { status, createdAt, startedAt, endedAt, message, code } = run;
  const ms = startedAt === null || endedAt === null ? undefined : Date.parse(endedAt) - Date.parse(startedAt);
  return (
    <div className="run">
      <div className="run-head">
        <RunStatus status={status} />
        <RelativeTime value={startedAt ?? createdAt} />
        {ms !== undefined && ms > 0 && <span className="muted numbers">{formats.duration(ms)}</span>}
      </div>
      {message !== null && (
        <p title={message}>
          {describeReason({ code, message })} {code !== null && <code className="muted">{code}</code>}
        </p>
      )}
      {run.note !== null && (
        <div className="muted" title={run.note}>
          <RunNoteList run={run} />
        </div>
      )}
      <RunCounters counters={run.counters} />
      <RunTimeline run={run} />
    </div>
  );
}
