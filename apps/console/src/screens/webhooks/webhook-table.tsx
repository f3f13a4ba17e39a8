import type { Webhook } from '@quarry/client';
import type { ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { FormattedNumber } from '../../components/formatted-number.js';
import { Table } from '../../components/table.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { deliveryMessages } from './delivery-messages.js';
import { webhooksMessages } from './messages.js';
import { WEBHOOK_EVENTS } from './use-webhooks.js';
import { getEventLabel, getWebhookLabel } from './webhook-labels.js';
import { WebhookStatus } from './webhook-status.js';

/** Number of waiting events of a webhook at which the API stops counting. */
const MAX_COUNTED = 1_000;

/** Shows the webhooks as rows, each with a link to its screen. */
export function WebhookTable({ webhooks }: { readonly webhooks: Pages<Webhook> }): ReactNode {
  const messages = useMessages(webhooksMessages);
  return (
    <Table
      columns={[
        { key: 'url', title: messages.url, kind: 'main', render: (webhook) => <AddressCell {...webhook} /> },
        { key: 'status', title: messages.status, render: (webhook) => <WebhookStatus webhook={webhook} /> },
        { key: 'last', isSecondary: true, title: messages.last, render: (webhook) => <LastAttempt {...webhook} /> },
        {
          key: 'waiting',
          isSecondary: true,
          title: messages.waiting,
          kind: 'number',
          render: ({ waiting }) => <WaitingEventCount waiting={waiting} />,
        },
      ]}
      getKey={({ id }) => id}
      label={messages.title}
      more={webhooks.more}
      rows={webhooks.items}
    />
  );
}

/** Shows the number of events that wait for delivery to a webhook. */
export function WaitingEventCount({ waiting }: Pick<Webhook, 'waiting'>): ReactNode {
  const messages = useMessages(webhooksMessages);
  return waiting >= MAX_COUNTED ? messages.waitingMany : <FormattedNumber value={waiting} />;
}

function AddressCell(webhook: Webhook): ReactNode {
  const { id, url, events } = webhook;
  const messages = useMessages(webhooksMessages);
  const shown = WEBHOOK_EVENTS.filter((event) => events.includes(event)).map((event) => getEventLabel(event, messages));
  return (
    <>
      <ScreenLink className="truncate" parameters={{ webhookId: id }} to="webhook">
        {url}
      </ScreenLink>
      <div className="cell-note">
        {getWebhookLabel(webhook, messages).reason ??
          (shown.length === WEBHOOK_EVENTS.length ? messages.allEvents : shown.join(' · '))}
      </div>
    </>
  );
}

/** Shows the time and the outcome of the latest attempt to deliver an event to a webhook. */
export function LastAttempt({ lastDelivery }: Pick<Webhook, 'lastDelivery'>): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { noResponse } = useMessages(deliveryMessages);
  if (lastDelivery === null) return <span className="muted">{messages.none}</span>;
  const { at, status, message, delivered } = lastDelivery;
  return (
    <>
      <RelativeTime value={at} /> {status !== null && <span className="muted numbers">· {status}</span>}
      {!delivered && status === null && message !== null && (
        <span className="muted" title={message}>
          · {noResponse}
        </span>
      )}
    </>
  );
}
