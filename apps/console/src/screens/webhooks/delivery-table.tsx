import type { WebhookDelivery } from '@quarry/client';
import type { ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { IconButton } from '../../components/icon-button.js';
import { RetryIcon } from '../../components/icons.js';
import { FormattedNumber } from '../../components/formatted-number.js';
import { StatusBadge } from '../../components/status-badge.js';
import { Table } from '../../components/table.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { getServerTexts } from '../../language/server-texts.js';
import { deliveryMessages } from './delivery-messages.js';
import { webhooksMessages } from './messages.js';
import { useResendDelivery } from './use-deliveries.js';
import { getDeliveryLabel, getEventLabel } from './webhook-labels.js';

interface DeliveryTableProps {
  readonly webhookId: string;
  readonly deliveries: Pages<WebhookDelivery>;
  readonly onOpen: (id: string) => void;
}

/** Shows the deliveries of a webhook as rows, each with its state and latest response. */
export function DeliveryTable({ webhookId, deliveries, onOpen }: DeliveryTableProps): ReactNode {
  const messages = useMessages(deliveryMessages);
  return (
    <Table
      columns={[
        {
          key: 'event',
          title: messages.event,
          kind: 'main',
          render: (delivery) => <EventCell delivery={delivery} onOpen={onOpen} />,
        },
        { key: 'state', title: messages.state, render: (delivery) => <DeliveryStatus delivery={delivery} /> },
        {
          key: 'response',
          isSecondary: true,
          title: messages.response,
          render: (delivery) => <LatestResponse {...delivery} />,
        },
        {
          key: 'tries',
          isSecondary: true,
          title: messages.tries,
          kind: 'number',
          render: ({ tries }) => <FormattedNumber value={tries.at(-1)?.attempt ?? 0} />,
        },
        {
          key: 'time',
          isSecondary: true,
          title: messages.time,
          render: ({ createdAt }) => <RelativeTime value={createdAt} />,
        },
        {
          key: 'actions',
          title: messages.resend,
          kind: 'actions',
          render: (delivery) =>
            canResendDelivery(delivery) && <ResendButton deliveryId={delivery.id} webhookId={webhookId} />,
        },
      ]}
      getKey={({ id }) => id}
      label={messages.title}
      more={deliveries.more}
      rows={deliveries.items}
    />
  );
}

/**
 * Returns true if a delivery can be resent: it is not waiting, and its event is not a test event. The API limits the
 * number of test events.
 */
function canResendDelivery({ state, type }: WebhookDelivery): boolean {
  return state !== 'waiting' && type !== 'webhook.test';
}

interface EventCellProps {
  readonly delivery: WebhookDelivery;
  readonly onOpen: (id: string) => void;
}

function EventCell({ delivery, onOpen }: EventCellProps): ReactNode {
  const label = getEventLabel(delivery.type, useMessages(webhooksMessages));
  return (
    <>
      <button className="row-button" onClick={() => onOpen(delivery.id)} type="button">
        {label}
      </button>
      <div className="cell-note">
        <code>{delivery.type}</code>
      </div>
    </>
  );
}

/** Shows the state of a delivery, with its next attempt or the reason of its failure. */
export function DeliveryStatus({ delivery }: { readonly delivery: WebhookDelivery }): ReactNode {
  const messages = useMessages(deliveryMessages);
  const { tone, text, reason } = getDeliveryLabel(delivery, messages);
  const { nextAttemptAt, tries } = delivery;
  return (
    <>
      <StatusBadge isActive={delivery.state === 'waiting'} tone={tone}>
        {text}
      </StatusBadge>
      {reason !== undefined && <div className="cell-note">{reason}</div>}
      {nextAttemptAt !== null && tries.length > 0 && (
        <div className="cell-note">
          <NextAttemptTime at={nextAttemptAt} />
        </div>
      )}
    </>
  );
}

/**
 * Shows the time of the next attempt to send a delivery. If it has passed, shows that the delivery is due: its webhook
 * is paused or disabled, or other deliveries are sent first.
 */
function NextAttemptTime({ at }: { readonly at: string }): ReactNode {
  const messages = useMessages(deliveryMessages);
  if (new Date(at) <= new Date()) return messages.due;
  return (
    <>
      {messages.next} <RelativeTime value={at} />
    </>
  );
}

function LatestResponse({ tries }: WebhookDelivery): ReactNode {
  const messages = useMessages(deliveryMessages);
  const latest = tries.at(-1);
  if (latest === undefined) return <span className="muted">–</span>;
  if (latest.status !== null) return <span className="numbers">{latest.status}</span>;
  return <span title={latest.error ?? undefined}>{messages.noResponse}</span>;
}

interface ResendButtonProps {
  readonly webhookId: string;
  readonly deliveryId: string;
}

function ResendButton({ webhookId, deliveryId }: ResendButtonProps): ReactNode {
  const messages = useMessages(deliveryMessages);
  const { showToast } = useToasts();
  const { mutate, isPending } = useResendDelivery(webhookId);
  const resend = (): void => {
    mutate(deliveryId, {
      onSuccess: () => showToast({ text: (language) => deliveryMessages[language].resent }),
      onError: (error) =>
        showToast({ text: (language) => getServerTexts(language).describeProblem(error), kind: 'danger' }),
    });
  };
  return <IconButton icon={RetryIcon} isBusy={isPending} label={messages.resend} onClick={resend} />;
}
