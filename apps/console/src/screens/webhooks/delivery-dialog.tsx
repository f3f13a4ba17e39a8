import type { WebhookDeliveryDetail } from '@quarry/client';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block.js';
import { Dialog } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { Tag } from '../../components/status-badge.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { deliveryMessages } from './delivery-messages.js';
import { DeliveryStatus } from './delivery-table.js';
import { indentJsonBody, formatHeaders } from './format-request.js';
import { webhooksMessages } from './messages.js';
import { useDelivery } from './use-deliveries.js';
import { getEventLabel } from './webhook-labels.js';

interface DeliveryDialogProps {
  readonly webhookId: string;
  /** The id of the delivery to show. Undefined: the dialog is closed. */
  readonly deliveryId: string | undefined;
  readonly onClose: () => void;
}

/** Shows the attempts of a delivery, and the headers and body of its request. */
export function DeliveryDialog({ webhookId, deliveryId, onClose }: DeliveryDialogProps): ReactNode {
  const messages = useMessages(deliveryMessages);
  const shown = useLastDefined(deliveryId);
  return (
    <Dialog isOpen={deliveryId !== undefined} onClose={onClose} title={messages.detail} width="wide">
      {shown !== undefined && <LoadedDeliveryContent deliveryId={shown} webhookId={webhookId} />}
    </Dialog>
  );
}

interface LoadedDeliveryContentProps {
  readonly webhookId: string;
  readonly deliveryId: string;
}

function LoadedDeliveryContent({ webhookId, deliveryId }: LoadedDeliveryContentProps): ReactNode {
  const { data, error, refetch } = useDelivery(webhookId, deliveryId);
  if (data !== undefined) return <DeliveryContent delivery={data} />;
  if (error !== null) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  return <Skeleton lines={8} />;
}

function DeliveryContent({ delivery }: { readonly delivery: WebhookDeliveryDetail }): ReactNode {
  const messages = useMessages(deliveryMessages);
  const eventMessages = useMessages(webhooksMessages);
  const { type, createdAt, tries, request } = delivery;
  return (
    <div className="form delivery">
      <div className="delivery-head">
        <strong>{getEventLabel(type, eventMessages)}</strong>
        <DeliveryStatus delivery={delivery} />
        <span className="muted">
          <RelativeTime value={createdAt} />
        </span>
      </div>
      <h3>{messages.tries}</h3>
      {tries.length === 0 && <p className="muted">{messages.noTries}</p>}
      <ol className="delivery-tries" reversed>
        {tries.toReversed().map((attempt) => (
          <DeliveryAttempt key={attempt.at} {...attempt} />
        ))}
      </ol>
      <h3>{messages.request}</h3>
      <CodeBlock code={formatHeaders(request.headers)} label={messages.headers} />
      <CodeBlock code={indentJsonBody(request.body)} label={messages.body} />
    </div>
  );
}

type Try = WebhookDeliveryDetail['tries'][number];

function DeliveryAttempt({ attempt, at, status, durationMs, error, errorCode, responseBody }: Try): ReactNode {
  const messages = useMessages(deliveryMessages);
  const { number, duration } = useFormats();
  return (
    <li className="delivery-try">
      <div className="delivery-try-head">
        <span>{messages.attempt(number(attempt))}</span>
        <Tag>{status ?? messages.noResponse}</Tag>
        <span className="muted numbers">{duration(durationMs)}</span>
        <span className="muted">
          <RelativeTime value={at} />
        </span>
      </div>
      {errorCode !== null && <p className="muted">{messages[errorCode]}</p>}
      {error !== null && status === null && (
        <p className="muted" lang="en">
          {error}
        </p>
      )}
      {responseBody !== null && <CodeBlock code={indentJsonBody(responseBody)} label={messages.responseBody} />}
    </li>
  );
}
