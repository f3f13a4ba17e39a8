import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { PlusIcon, WebhookIcon } from '../../components/icons.js';
import { LoadMore } from '../../components/load-more.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { webhooksMessages } from './messages.js';
import { useWebhooks } from './use-webhooks.js';
import { WebhookDialog } from './webhook-dialog.js';
import { WebhookTable } from './webhook-table.js';

/** Lists the webhooks, and creates webhooks. */
export function WebhooksScreen(): ReactNode {
  const messages = useMessages(webhooksMessages);
  const [isCreating, setIsCreating] = useState(false);
  const { items, isPending, error, refetch, more } = useWebhooks();
  const isEmpty = !isPending && error === null && items.length === 0;
  const createButton = (
    <Button icon={PlusIcon} kind="primary" onClick={() => setIsCreating(true)}>
      {messages.create}
    </Button>
  );
  return (
    <>
      <PageHeader actions={isEmpty ? undefined : createButton} title={messages.title} />
      <div className="page">
        {error !== null && <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />}
        {isPending && <Skeleton lines={6} shape="rows" />}
        {isEmpty && (
          <EmptyState actions={createButton} icon={WebhookIcon} title={messages.emptyTitle}>
            {messages.emptyText}
          </EmptyState>
        )}
        {items.length > 0 && (
          <>
            <p className="page-intro">{messages.intro}</p>
            <WebhookTable webhooks={items} />
            <LoadMore {...more} />
          </>
        )}
      </div>
      <WebhookDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}
