import type { SystemBacklog, SystemQueue } from '@quarry/client';
import type { ReactNode } from 'react';
import { CheckIcon, WarningIcon } from '../../components/icons.js';
import { FormattedNumber } from '../../components/formatted-number.js';
import { StatusBadge } from '../../components/status-badge.js';
import { Table, type Column } from '../../components/table.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { CLASS_MESSAGES, QUEUE_MESSAGES } from './names.js';
import { systemMessages } from './messages.js';

type Count = 'waiting' | 'active' | 'delayed' | 'failed';

/** Shows the queues with the number of their jobs by state. */
export function QueueTable({ queues }: { readonly queues: readonly SystemQueue[] }): ReactNode {
  const messages = useMessages(systemMessages);
  const names = useMessages(QUEUE_MESSAGES);
  const count = (key: Count): Column<SystemQueue> => ({
    ...{ key, title: messages[key], kind: 'number' },
    render: (queue) => <CountCell isBad={key === 'failed'} value={queue[key]} />,
  });
  return (
    <Table
      columns={[
        { key: 'name', title: messages.queue, kind: 'main', render: ({ name }) => names[name] ?? name },
        count('waiting'),
        count('active'),
        count('delayed'),
        count('failed'),
        {
          key: 'oldest',
          title: messages.oldest,
          kind: 'number',
          render: ({ oldestSeconds, status }) => <JobAge isKnown={status === 'available'} seconds={oldestSeconds} />,
        },
        {
          key: 'capacity',
          title: messages.capacity,
          kind: 'number',
          render: (queue) => <QueueCapacity queue={queue} />,
        },
      ]}
      getKey={({ name }) => name}
      isReadOnly
      label={messages.queuesTitle}
      rows={queues}
    />
  );
}

/** Shows a number of jobs. Zero is shown in a fainter color, so that other numbers stand out. */
function CountCell({ value, isBad }: { readonly value: number | null; readonly isBad: boolean }): ReactNode {
  if (value === null) return <UnknownValue />;
  if (value === 0) return <span className="muted">0</span>;
  return isBad ? (
    <span className="queue-failed">
      <WarningIcon size={13} /> <FormattedNumber value={value} />
    </span>
  ) : (
    <FormattedNumber value={value} />
  );
}

function JobAge({ seconds, isKnown }: { readonly seconds: number | null; readonly isKnown: boolean }): ReactNode {
  const { duration } = useFormats();
  if (!isKnown) return <UnknownValue />;
  return seconds === null ? <span className="muted">–</span> : duration(seconds * 1_000);
}

/** Shows the number of jobs that the consumers of a queue can run at the same time, or why the queue is unavailable. */
function QueueCapacity({ queue: { status, reason, capacity } }: { readonly queue: SystemQueue }): ReactNode {
  const messages = useMessages(systemMessages);
  if (status === 'unavailable') {
    return (
      <span className="queue-problem">
        <StatusBadge tone="danger">{messages.unavailable}</StatusBadge>
        <span className="muted">{reason}</span>
      </span>
    );
  }
  return capacity === 0 ? (
    <StatusBadge tone="warning">{messages.noConsumer}</StatusBadge>
  ) : (
    <CountCell isBad={false} value={capacity} />
  );
}

function UnknownValue(): ReactNode {
  return (
    <span className="muted" title={useMessages(systemMessages).unknown}>
      ?
    </span>
  );
}

/** Shows the backlog: the number of jobs that wait in the database until their queue has room, by queue and class. */
export function BacklogTable({ backlog }: { readonly backlog: SystemBacklog }): ReactNode {
  const messages = useMessages(systemMessages);
  const names = useMessages(QUEUE_MESSAGES);
  const classes = useMessages(CLASS_MESSAGES);
  const { duration } = useFormats();
  if (backlog.status === 'unavailable') return <UnavailableNotice reason={backlog.reason} />;
  const waiting = backlog.classes.filter(({ jobs }) => jobs > 0);
  if (waiting.length === 0) {
    return (
      <p className="system-fine">
        <CheckIcon size={14} /> {messages.noBacklog}
      </p>
    );
  }
  return (
    <Table
      columns={[
        { key: 'queue', title: messages.queue, kind: 'main', render: ({ queue }) => names[queue] ?? queue },
        { key: 'class', title: messages.class, render: (row) => classes[row.class] ?? row.class },
        { key: 'jobs', title: messages.jobs, kind: 'number', render: ({ jobs }) => <FormattedNumber value={jobs} /> },
        {
          key: 'organizations',
          title: messages.organizations,
          kind: 'number',
          render: ({ organizations }) => <FormattedNumber value={organizations} />,
        },
        {
          key: 'oldest',
          title: messages.oldest,
          kind: 'number',
          render: ({ oldestSeconds }) => duration(oldestSeconds * 1_000),
        },
      ]}
      getKey={(row) => `${row.queue} ${row.class}`}
      isReadOnly
      label={messages.backlogTitle}
      rows={waiting}
    />
  );
}

/** Shows that a part of the system state could not be determined, and why. */
export function UnavailableNotice({ reason }: { readonly reason: string | null }): ReactNode {
  const messages = useMessages(systemMessages);
  return (
    <div className="notice notice-danger">
      <WarningIcon />
      <div>
        <strong>{messages.unavailable}</strong>: {reason}
      </div>
    </div>
  );
}
