import { useState, type ReactNode } from 'react';
import { WebhookIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { ListPage } from '../../page/list-page.js';
import { webhooksMessages } from './messages.js';
import { useWebhooks } from './use-webhooks.js';
import { WebhookDialog } from './webhook-dialog.js';
import { WebhookTable } from './webhook-table.js';

/** Shows the webhooks, and creates webhooks. */
export function WebhooksScreen(): ReactNode {
  const messages = useMessages(webhooksMessages);
  const [isCreating, setIsCreating] = useState(false);
  const webhooks = useWebhooks();
  return (
    <>
      <ListPage icon={WebhookIcon} list={webhooks} messages={messages} onCreate={() => setIsCreating(true)}>
        <WebhookTable webhooks={webhooks} />
      </ListPage>
      <WebhookDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </>
  );
}
