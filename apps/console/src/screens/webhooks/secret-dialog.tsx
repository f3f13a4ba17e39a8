import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { webhooksMessages } from './messages.js';
import type { ShownSecret } from './use-webhooks.js';

interface SecretDialogProps {
  readonly shown: ShownSecret;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onClosed: () => void;
}

/**
 * Shows the secret of a webhook, which the API returns only once. Neither Escape nor a click beside the dialog closes
 * it, so that the user can copy the secret.
 */
export function SecretDialog({ shown, isOpen, onClose, onClosed }: SecretDialogProps): ReactNode {
  const messages = useMessages(webhooksMessages);
  return (
    <Dialog
      description={messages.secretText}
      isOpen={isOpen}
      isPersistent
      onClose={onClose}
      onClosed={onClosed}
      title={messages.secretTitle}
    >
      <div className="form">
        <CodeBlock code={shown.secret} isWrapped label={messages.secret} />
        {!shown.isNew && <PreviousSecretExpiry until={shown.previousSecretExpiresAt} />}
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {messages.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function PreviousSecretExpiry({ until }: { readonly until: string | null }): ReactNode {
  const messages = useMessages(webhooksMessages);
  const { exact } = useFormats();
  return (
    <p className="muted">
      {until === null ? messages.secretRevoked : `${messages.secretOverlap} ${exact(new Date(until))}.`}
    </p>
  );
}
