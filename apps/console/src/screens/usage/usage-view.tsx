import type { UsageDays } from '@quarry/client';
import { useMemo, type ReactNode } from 'react';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { UsageIcon } from '../../components/icons.js';
import { Select } from '../../components/select.js';
import { Skeleton } from '../../components/skeleton.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { ScreenLink, useSearchParameter } from '../../routing/screen-link.js';
import { DayChart } from './day-chart.js';
import { parseRangeName, RANGES } from './day-ranges.js';
import { getLastValue, isWithoutUsage, sumValues, type DayChartData } from './day-series.js';
import { LimitList } from './limit-list.js';
import { usageMessages } from './messages.js';
import { useDailyUsage, useLimitUsage, type UsageOf } from './use-usage.js';

/** Shows the limits of an organization, and charts of its usage for a range of days. */
export function UsageView({ organizationId }: UsageOf): ReactNode {
  const messages = useMessages(usageMessages);
  const [name, setName] = useSearchParameter('range');
  const range = parseRangeName(name);
  const limits = useLimitUsage({ organizationId });
  const days = useDailyUsage({ organizationId, range });
  const error = limits.error ?? days.error;
  const retry = (): void => {
    void limits.refetch();
    void days.refetch();
  };
  return (
    <>
      <p className="page-intro">
        {messages.intro} <LocalDayStart />
      </p>
      {error !== null && <ErrorNotice error={error} onRetry={retry} title={messages.loadFailed} />}
      {limits.error === null && <LimitList usage={limits.data} />}
      <div className="usage-range">
        <Select
          label={messages.range}
          onChange={setName}
          options={RANGES.map((value) => ({ value, label: messages[value] }))}
          value={range}
        />
      </div>
      {days.isPending && <Skeleton lines={6} shape="rows" />}
      {days.data !== undefined && <UsageCharts {...days.data} isOwnOrganization={organizationId === undefined} />}
    </>
  );
}

/** Shows the local time at which a day in UTC begins. Renders nothing if the day begins at local midnight. */
function LocalDayStart(): ReactNode {
  const messages = useMessages(usageMessages);
  const formats = useFormats();
  const midnight = new Date();
  midnight.setUTCHours(0, 0, 0, 0);
  if (midnight.getTimezoneOffset() === 0) return null;
  return messages.localStart(formats.time(midnight));
}

function UsageCharts({ days, isOwnOrganization }: UsageDays & { readonly isOwnOrganization: boolean }): ReactNode {
  const messages = useMessages(usageMessages);
  const formats = useFormats();
  const { queries, tokens, documents } = useMemo(() => {
    const dates = days.map(({ day }) => day);
    const createChart = (kind: DayChartData['kind'], ...series: DayChartData['series']): DayChartData => ({
      ...{ kind, days: dates, series },
    });
    return {
      queries: createChart(
        'bars',
        { name: messages.agentQueries, color: '--accent', values: days.map(({ agentQueries }) => agentQueries) },
        { name: messages.datastoreQueries, color: '--info', values: days.map((day) => day.datastoreQueries) },
      ),
      tokens: createChart('line', {
        name: messages.tokens,
        color: '--accent',
        values: days.map((day) => day.storedTokens),
      }),
      documents: createChart('line', {
        ...{ name: messages.documents, color: '--accent', values: days.map((day) => day.storedDocuments) },
      }),
    };
  }, [days, messages]);
  if (isWithoutUsage(days)) return <NoUsage isOwnOrganization={isOwnOrganization} />;
  const total = queries.series.reduce((sum, series) => sum + sumValues(series), 0);
  return (
    <div className="usage-charts">
      <DayChart data={queries} summary={messages.total(formats.number(total))} title={messages.queries} />
      <StoredAmountChart data={tokens} title={messages.tokens} />
      <StoredAmountChart data={documents} title={messages.documents} />
    </div>
  );
}

/**
 * Shows a chart of the amount that was stored at the end of each day, and the last recorded amount beside the title.
 */
function StoredAmountChart({ data, title }: { readonly data: DayChartData; readonly title: string }): ReactNode {
  const messages = useMessages(usageMessages);
  const formats = useFormats();
  const [series] = data.series;
  const last = series === undefined ? null : getLastValue(series);
  return (
    <DayChart
      data={data}
      hint={messages.atEnd}
      title={title}
      {...(last === null ? {} : { summary: messages.current(formats.number(last)) })}
    />
  );
}

function NoUsage({ isOwnOrganization }: { readonly isOwnOrganization: boolean }): ReactNode {
  const messages = useMessages(usageMessages);
  return (
    <EmptyState
      actions={
        isOwnOrganization && (
          <ScreenLink className="button button-primary" to="datastores">
            {messages.emptyAction}
          </ScreenLink>
        )
      }
      icon={UsageIcon}
      title={messages.emptyTitle}
    >
      {messages.emptyText}
    </EmptyState>
  );
}
