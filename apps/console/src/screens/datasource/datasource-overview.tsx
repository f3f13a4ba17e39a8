import type { Datasource, Run } from '@quarry/client';
import type { ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import '../../components/panel.css';
import { KeyValueList } from '../../components/key-value-list.js';
import { FormattedBytes, FormattedNumber } from '../../components/formatted-number.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useLanguage, useMessages } from '../../language/language-context.js';
import { useServerTexts } from '../../language/server-texts.js';
import { isDryRunResult } from '../datasources/run-notes.js';
import { hasManyDocuments } from '../datasources/has-many-documents.js';
import { statusMessages } from '../datasources/status-messages.js';
import { describeSchedule } from '../upload/schedule-texts.js';
import { datasourceMessages } from './messages.js';
import { MissingRuns } from './missing-runs.js';
import { RunNotices } from './run-notices.js';
import { RunCounters, RunTimeline } from './run-timeline.js';

export interface DatasourceOverviewProps {
  readonly datasource: Datasource;
  /** The runs of the datasource, the newest first. */
  readonly runs: Pages<Run>;
}

/** Shows the properties of a datasource and its latest run. */
export function DatasourceOverview({ datasource, runs }: DatasourceOverviewProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  const [run] = runs.items;
  // Live events update the counters of `datasource.run`, but only a run from the list of runs has the timeline.
  const live = run?.id === datasource.run?.id && run !== undefined ? { ...run, ...datasource.run } : run;
  return (
    <div className="overview">
      <div className="overview-main">
        <RunNotices datasource={datasource} />
        {live === undefined ? (
          <MissingRuns runs={runs} />
        ) : (
          <LatestRun reasons={datasource.failureReasons} run={live} />
        )}
      </div>
      <section aria-label={messages.facts} className="panel">
        <h2>{messages.facts}</h2>
        <DatasourceProperties datasource={datasource} />
      </section>
    </div>
  );
}

interface LatestRunProps {
  readonly run: Run;
  readonly reasons: Datasource['failureReasons'];
}

function LatestRun({ run, reasons }: LatestRunProps): ReactNode {
  const messages = useMessages(datasourceMessages);
  const endedTitle = isDryRunResult(run) ? messages.lastDryRun : messages.lastTimeline;
  const title = run.endedAt === null ? messages.timeline : endedTitle;
  return (
    <section aria-label={title} className="panel">
      <h2>{title}</h2>
      <RunTimeline run={run} />
      <RunCounters counters={run.counters} />
      <FailureReasons reasons={reasons} />
    </section>
  );
}

function FailureReasons({ reasons }: { readonly reasons: Datasource['failureReasons'] }): ReactNode {
  const messages = useMessages(datasourceMessages);
  const formats = useFormats();
  const { describeReason } = useServerTexts();
  if (reasons.length === 0) return null;
  return (
    <div className="reasons">
      <h3>{messages.reasons}</h3>
      <ul>
        {reasons.map(({ code, message, count }) => (
          <li key={`${code} ${message}`}>
            <span className="numbers">{messages.times(formats.number(count))}</span>
            <div title={message}>
              {describeReason({ code, message })} <code className="muted">{code}</code>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function DatasourceProperties({ datasource }: Pick<DatasourceOverviewProps, 'datasource'>): ReactNode {
  const messages = useMessages(datasourceMessages);
  const words = useMessages(statusMessages);
  const { language } = useLanguage();
  const { type, config, content, createdAt, lastSynch, schedule, nextSyncAt, consecutiveFailures } = datasource;
  const address = findSourceAddress(config);
  const size = config['fileSize'];
  const hasSchedule = type !== 'file' && type !== 'document';
  return (
    <KeyValueList
      items={[
        { key: messages.type, value: words[type] },
        ...(address === undefined ? [] : [{ key: messages.address, value: <WebAddressLink address={address} /> }]),
        ...(typeof size === 'number' ? [{ key: messages.size, value: <FormattedBytes value={size} /> }] : []),
        ...(hasManyDocuments(datasource)
          ? [{ key: messages.documents, value: <FormattedNumber value={content.documents} /> }]
          : []),
        { key: messages.passages, value: <FormattedNumber value={content.fragments} /> },
        { key: messages.tokens, value: <FormattedNumber value={content.storedTokens} /> },
        { key: messages.created, value: <RelativeTime value={createdAt} /> },
        { key: messages.lastSync, value: <RelativeTime value={lastSynch} /> },
        ...(hasSchedule ? [{ key: messages.schedule, value: describeSchedule(schedule ?? 'never', language) }] : []),
        ...(nextSyncAt === null ? [] : [{ key: messages.nextSync, value: <RelativeTime value={nextSyncAt} /> }]),
        ...(consecutiveFailures === 0
          ? []
          : [{ key: messages.failures, value: <FormattedNumber value={consecutiveFailures} /> }]),
      ]}
    />
  );
}

/**
 * Returns the address of a datasource's page, site or listing, or the source of a text. Returns undefined if the
 * configuration contains neither.
 */
function findSourceAddress(config: Datasource['config']): string | undefined {
  const values = [config['source_url'], config['sitemap'], config['url'], config['source']];
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}

/**
 * Shows a link to an address outside the console. If its scheme is neither http nor https, shows a text without a link.
 */
export function WebAddressLink({
  address,
  children,
}: {
  readonly address: string;
  readonly children?: ReactNode;
}): ReactNode {
  if (!/^https?:\/\//i.test(address)) return children ?? address;
  return (
    <a href={address} rel="noreferrer noopener" target="_blank">
      {children ?? address}
    </a>
  );
}
