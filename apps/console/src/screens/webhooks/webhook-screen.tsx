import type { Webhook } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { isNotFoundError } from '../../components/explain-error.js';
import { EditIcon, KeyIcon, MoreIcon, TrashIcon, WebhookIcon } from '../../components/icons.js';
import { Menu } from '../../components/menu.js';
import { Skeleton } from '../../components/skeleton.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { getServerTexts } from '../../language/server-texts.js';
import { MissingItem } from '../../page/missing-item.js';
import { PageHeader } from '../../page/page-header.js';
import { useScreenParameters } from '../../routing/screen-link.js';
import { DeleteWebhookDialog } from './delete-webhook-dialog.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { webhooksMessages } from './messages.js';
import { RotateSecretDialog } from './rotate-secret-dialog.js';
import { useEnableWebhook, useWebhook } from './use-webhooks.js';
import { WebhookDialog } from './webhook-dialog.js';
import { WebhookFacts } from './webhook-facts.js';
import { WebhookStatus } from './webhook-status.js';

type OpenDialog = 'edit' | 'rotate' | 'delete';

/** Shows a webhook with its deliveries. */
export function WebhookScreen(): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { webhookId } = useScreenParameters('webhook');
  const { data, error, refetch } = useWebhook(webhookId);
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = (): void => {
    setDialog(undefined);
  };
  if (isNotFoundError(error)) {
    return (
      <MissingItem
        icon={WebhookIcon}
        list={{ title: messages.title, target: { to: 'webhooks' } }}
        showAll={messages.showAll}
        title={messages.missing}
      />
    );
  }
  return (
    <>
      <PageHeader
        actions={data && <WebhookActions onOpen={setDialog} webhook={data} />}
        status={data && <WebhookStatus webhook={data} />}
        title={data?.url ?? messages.title}
        trail={[{ title: messages.title, target: { to: 'webhooks' } }]}
      />
      <div className="page">
        {error !== null && data === undefined && (
          <ErrorNotice error={error} onRetry={() => void refetch()} title={messages.loadOneFailed} />
        )}
        {data === undefined && error === null && <Skeleton lines={6} />}
        {data !== undefined && (
          <>
            <WebhookFacts webhook={data} />
            <WebhookDeliveries webhookId={data.id} />
            <WebhookDialog isOpen={dialog === 'edit'} onClose={close} webhook={data} />
            <RotateSecretDialog isOpen={dialog === 'rotate'} onClose={close} webhookId={data.id} />
            <DeleteWebhookDialog isOpen={dialog === 'delete'} onClose={close} webhook={data} />
          </>
        )}
      </div>
    </>
  );
}

interface WebhookActionsProps {
  readonly webhook: Webhook;
  readonly onOpen: (dialog: OpenDialog) => void;
}

function WebhookActions({ webhook, onOpen }: WebhookActionsProps): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { showToast } = useToasts();
  const { mutate, isPending } = useEnableWebhook();
  const setEnabled = (enabled: boolean): void => {
    mutate(
      { id: webhook.id, enabled },
      {
        onSuccess: () =>
          showToast(
            enabled
              ? { text: (language) => webhooksMessages[language].enabledNotice }
              : { text: (language) => webhooksMessages[language].disabledNotice, onUndo: () => setEnabled(true) },
          ),
        onError: (error) =>
          showToast({ text: (language) => getServerTexts(language).describeProblem(error), kind: 'danger' }),
      },
    );
  };
  return (
    <>
      <Button isBusy={isPending} onClick={() => setEnabled(!webhook.enabled)}>
        {webhook.enabled ? messages.disable : messages.enable}
      </Button>
      <Menu
        align="end"
        groups={[
          {
            actions: [
              { label: messages.edit, icon: EditIcon, onSelect: () => onOpen('edit') },
              { label: messages.rotate, icon: KeyIcon, onSelect: () => onOpen('rotate') },
            ],
          },
          {
            actions: [{ label: messages.remove, icon: TrashIcon, isDangerous: true, onSelect: () => onOpen('delete') }],
          },
        ]}
        trigger={
          <Button aria-label={messages.actionsFor(webhook.url)} className="icon-button">
            <MoreIcon />
          </Button>
        }
      />
    </>
  );
}
