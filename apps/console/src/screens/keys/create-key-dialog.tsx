import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { useMessages } from '../../language/language-context.js';
import { CreateKeyForm } from './create-key-form.js';
import { keysMessages } from './messages.js';
import type { CreatedKey } from './use-keys.js';

interface CreateKeyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a dialog that creates an API key, and then shows the key once. */
export function CreateKeyDialog({ isOpen, onClose }: CreateKeyDialogProps): ReactNode {
  const messages = useMessages(keysMessages);
  const [created, setCreated] = useState<CreatedKey>();
  if (created === undefined) {
    return (
      <Dialog isOpen={isOpen} onClose={onClose} title={messages.createTitle}>
        <CreateKeyForm onClose={onClose} onCreated={setCreated} />
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
      onClosed={() => setCreated(undefined)}
      title={messages.shownOnceTitle}
    >
      <div className="form">
        <CodeBlock code={created.key} isWrapped label={messages.newKey} />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {messages.done}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
