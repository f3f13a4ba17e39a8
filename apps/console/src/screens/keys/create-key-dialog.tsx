import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { useMessages } from '../../language/language-context.js';
import { CreateKeyForm } from './create-key-form.js';
import { keysMessages } from './messages.js';
import { useCreateKey } from './use-keys.js';

interface CreateKeyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a dialog that creates an API key, and then shows the key once. */
export function CreateKeyDialog({ isOpen, onClose }: CreateKeyDialogProps): ReactNode {
  const messages = useMessages(keysMessages);
  const creation = useCreateKey();
  if (creation.data === undefined) {
    return (
      <Dialog
        isOpen={isOpen}
        // The response contains the key, which is shown only once.
        isPersistent={creation.isPending}
        onClose={onClose}
        onClosed={creation.reset}
        title={messages.createTitle}
      >
        <CreateKeyForm creation={creation} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      description={messages.shownOnceText}
      isOpen={isOpen}
      // A click beside the dialog must not close the dialog, because the key is shown only once.
      isPersistent
      onClose={onClose}
      onClosed={creation.reset}
      title={messages.shownOnceTitle}
    >
      <div className="form">
        <CodeBlock code={creation.data.key} isWrapped label={messages.newKey} />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {messages.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
