import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError } from '../../components/find-field-error.js';
import { componentMessages } from '../../components/messages.js';
import { TextField } from '../../components/text-field.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { useOpenScreen } from '../../routing/screen-link.js';
import { DatastoreChoice } from './datastore-choice.js';
import { agentsMessages } from './messages.js';
import { useCreateAgent } from './use-agents.js';

interface CreateAgentDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a dialog that creates an agent and then opens it. */
export function CreateAgentDialog({ isOpen, onClose }: CreateAgentDialogProps): ReactNode {
  const messages = useMessages(agentsMessages);
  return (
    <Dialog description={messages.createHint} isOpen={isOpen} onClose={onClose} title={messages.create}>
      <CreateAgentForm onClose={onClose} />
    </Dialog>
  );
}

function CreateAgentForm({ onClose }: Pick<CreateAgentDialogProps, 'onClose'>): ReactNode {
  const messages = useMessages(agentsMessages);
  const { cancel } = useMessages(componentMessages);
  const { showToast } = useToasts();
  const openScreen = useOpenScreen();
  const [name, setName] = useState('');
  const [datastoreIds, setDatastoreIds] = useState<readonly string[]>([]);
  const { mutate, isPending, error } = useCreateAgent();
  const nameError = findFieldError(error, 'name');
  const create = (): void =>
    // Citation marks are enabled, because the test chat links them to the sources.
    mutate(
      { name: name.trim(), datastoreIds: [...datastoreIds], citationMarks: true },
      {
        onSuccess: (agent) => {
          showToast({ text: (language) => agentsMessages[language].created(agent.name) });
          onClose();
          openScreen({ to: 'agent', parameters: { agentId: agent.id } });
        },
      },
    );
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) create();
      }}
    >
      <TextField
        error={nameError}
        hint={messages.nameHint}
        label={messages.name}
        maxLength={200}
        onChange={setName}
        required
        value={name}
      />
      <DatastoreChoice chosen={datastoreIds} onChange={setDatastoreIds} />
      {error !== null && nameError === undefined && <ErrorNotice error={error} />}
      <DialogActions>
        <Button onClick={onClose}>{cancel}</Button>
        <Button disabled={name.trim() === ''} isBusy={isPending} kind="primary" type="submit">
          {messages.create}
        </Button>
      </DialogActions>
    </form>
  );
}
