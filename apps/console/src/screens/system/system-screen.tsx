import type { System } from '@quarry/client';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { RetryIcon, WarningIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { DatabasePanel } from './database-panel.js';
import { computeSystemStatus } from './compute-system-status.js';
import { systemMessages } from './messages.js';
import { BacklogTable, QueueTable } from './queue-tables.js';
import { ServiceList } from './service-list.js';
import '../../components/panel.css';
import './system.css';
import { SystemStatusBadge } from './system-status.js';
import { useSystem } from './use-system.js';

/** Shows the state of the installation: its services, queues and database. */
export function SystemScreen(): ReactNode {
  const messages = useMessages(systemMessages);
  const { data, error, isPending, isFetching, refetch } = useSystem();
  const isStale = data !== undefined && error !== null;
  const load = (): void => void refetch();
  return (
    <>
      <PageHeader
        actions={
          <Button icon={RetryIcon} isBusy={isFetching && isPending} onClick={load}>
            {messages.refresh}
          </Button>
        }
        status={data !== undefined && !isStale && <SystemStatusBadge status={computeSystemStatus(data)} />}
        title={messages.title}
      />
      <div className="page">
        {data === undefined && <p className="page-intro">{messages.intro}</p>}
        {error !== null && (
          <ErrorNotice error={error} onRetry={load} title={isStale ? messages.refreshFailed : messages.loadFailed} />
        )}
        {isPending && <Skeleton lines={8} shape="rows" />}
        {data !== undefined && <SystemSummary isStale={isStale} system={data} />}
        {data !== undefined && <SystemSections system={data} />}
      </div>
    </>
  );
}

function SystemSummary({ system, isStale }: { readonly system: System; readonly isStale: boolean }): ReactNode {
  const messages = useMessages(systemMessages);
  const text = (
    <>
      {system.mode === 'one_machine' ? messages.oneMachine : messages.services} {messages.checked}{' '}
      <RelativeTime value={system.checkedAt} />.
    </>
  );
  if (!isStale) return <p className="page-intro">{text}</p>;
  return (
    <div className="notice notice-warning" role="status">
      <WarningIcon />
      <div>
        <strong>{messages.stale}</strong> {text}
      </div>
    </div>
  );
}

function SystemSections({ system }: { readonly system: System }): ReactNode {
  const messages = useMessages(systemMessages);
  return (
    <>
      <section className="system-section">
        <h2>{messages.servicesTitle}</h2>
        <ServiceList checkedAt={system.checkedAt} mode={system.mode} services={system.services} />
      </section>
      <section className="system-section">
        <h2>{messages.queuesTitle}</h2>
        <QueueTable queues={system.queues} />
      </section>
      <section className="system-section">
        <h2>{messages.backlogTitle}</h2>
        <p className="muted">{messages.backlogIntro}</p>
        <BacklogTable backlog={system.backlog} />
      </section>
      <section className="system-section">
        <h2>{messages.databaseTitle}</h2>
        <DatabasePanel database={system.database} />
      </section>
    </>
  );
}
