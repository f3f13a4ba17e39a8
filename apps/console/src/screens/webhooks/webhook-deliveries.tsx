import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { WebhookIcon } from '../../components/icons.js';
import { Select } from '../../components/select.js';
import { Skeleton } from '../../components/skeleton.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { getServerTexts } from '../../language/server-texts.js';
import { useSearchParameter } from '../../routing/screen-link.js';
import { DeliveryDialog } from './delivery-dialog.js';
import { deliveryMessages } from './delivery-messages.js';
import { DeliveryTable } from './delivery-table.js';
import { webhooksMessages } from './messages.js';
import { ResendDialog } from './resend-dialog.js';
import { useDeliveries, useTestWebhook, type DeliveryFilter } from './use-deliveries.js';
import { WEBHOOK_EVENTS } from './use-webhooks.js';
import { getEventLabel } from './webhook-labels.js';
import './webhooks.css';

const STATES = ['waiting', 'delivered', 'failed'] as const;
const TYPES = [...WEBHOOK_EVENTS, 'webhook.test'] as const;

/**
 * Shows the deliveries of a webhook, with filters and actions. The address contains the filters and the id of the open
 * delivery.
 */
export function WebhookDeliveries({ webhookId }: { readonly webhookId: string }): ReactNode {
  const messages = useMessages(deliveryMessages);
  const [isResending, setIsResending] = useState(false);
  const [opened, setOpened] = useSearchParameter('delivery');
  const { filter, controls, clear } = useDeliveryFilter();
  const deliveries = useDeliveries(webhookId, filter);
  const { items, isPending, error, refetch } = deliveries;
  const isFiltered = filter.state !== undefined || filter.type !== undefined;
  const isEmpty = !isPending && error === null && items.length === 0;
  return (
    <section aria-labelledby="deliveries" className="webhook-deliveries">
      <header className="webhook-deliveries-head">
        <h2 id="deliveries">{messages.title}</h2>
        {controls}
        <Button onClick={() => setIsResending(true)}>{messages.resendMany}</Button>
        <TestWebhookButton webhookId={webhookId} />
      </header>
      {error !== null && <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />}
      {isPending && <Skeleton lines={5} shape="rows" />}
      {isEmpty && (
        <EmptyState
          actions={isFiltered && <Button onClick={clear}>{messages.showAll}</Button>}
          icon={WebhookIcon}
          title={isFiltered ? messages.noMatchTitle : messages.emptyTitle}
        >
          {isFiltered ? messages.noMatchText : messages.emptyText}
        </EmptyState>
      )}
      {items.length > 0 && (
        <>
          <DeliveryTable deliveries={deliveries} onOpen={setOpened} webhookId={webhookId} />
          <p className="field-hint">{messages.hint}</p>
        </>
      )}
      <DeliveryDialog deliveryId={opened} onClose={() => setOpened(undefined)} webhookId={webhookId} />
      <ResendDialog isOpen={isResending} onClose={() => setIsResending(false)} webhookId={webhookId} />
    </section>
  );
}

interface FilterControls {
  readonly filter: DeliveryFilter;
  readonly controls: ReactNode;
  readonly clear: () => void;
}

function useDeliveryFilter(): FilterControls {
  const messages = useMessages(deliveryMessages);
  const eventMessages = useMessages(webhooksMessages);
  const [filterText, setFilterText] = useSearchParameter('filter');
  const [stateText = '', typeText = ''] = (filterText ?? '').split('~');
  const state = STATES.find((name) => name === stateText);
  const type = TYPES.find((name) => name === typeText);
  const changeFilter = (nextState: string, nextType: string): void => {
    setFilterText(nextState === '' && nextType === '' ? undefined : `${nextState}~${nextType}`);
  };
  const controls = (
    <div className="webhook-filters">
      <Select
        isLabelHidden
        label={messages.state}
        onChange={(next) => changeFilter(next, type ?? '')}
        options={[
          { value: '', label: messages.allStates },
          ...STATES.map((value) => ({ value, label: messages[value] })),
        ]}
        value={state ?? ''}
      />
      <Select
        isLabelHidden
        label={messages.event}
        onChange={(next) => changeFilter(state ?? '', next)}
        options={[
          { value: '', label: messages.allEvents },
          ...TYPES.map((value) => ({ value, label: getEventLabel(value, eventMessages) })),
        ]}
        value={type ?? ''}
      />
    </div>
  );
  const filter = { ...(state === undefined ? {} : { state }), ...(type === undefined ? {} : { type }) };
  return { filter, controls, clear: () => setFilterText(undefined) };
}

function TestWebhookButton({ webhookId }: { readonly webhookId: string }): ReactNode {
  const messages = useMessages(deliveryMessages);
  const { showToast } = useToasts();
  const { mutate, isPending } = useTestWebhook(webhookId);
  const send = (): void => {
    mutate(undefined, {
      onSuccess: () => showToast({ text: (language) => deliveryMessages[language].testSent }),
      onError: (error) =>
        showToast({ text: (language) => getServerTexts(language).describeProblem(error), kind: 'danger' }),
    });
  };
  return (
    <Button isBusy={isPending} kind="primary" onClick={send}>
      {messages.sendTest}
    </Button>
  );
}
