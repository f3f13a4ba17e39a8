import type { Agent } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import type { Turn } from '../../answers/chat-turn.js';
import { Button } from '../../components/button.js';
import { Dialog, DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { componentMessages } from '../../components/messages.js';
import { Select } from '../../components/select.js';
import { TextArea, TextField } from '../../components/text-field.js';
import { useLastDefined } from '../../components/use-last-defined.js';
import { useMessages } from '../../language/language-context.js';
import { useHasScope } from '../../session/use-session.js';
import { AskAgainPanel } from './ask-again-panel.js';
import { conversationsMessages } from './messages.js';
import { useExistingDatastores } from '../agents/use-existing-datastores.js';
import { useAddAnswer } from './use-add-answer.js';

/**
 * Stands for the list of datastores, which the dialog does not load. Each datastore of the agent is thus requested by
 * its id.
 */
const NO_LIST = { items: [], isSettled: true };

interface AddAnswerDialogProps {
  /** The turn whose question the added text answers. Undefined: the dialog is closed. */
  readonly turn: Turn | undefined;
  /** The agent of the conversation. Undefined if the agent was deleted. */
  readonly agent: Agent | undefined;
  readonly onClose: () => void;
}

/**
 * Shows a dialog in which the user writes the answer to a question and adds it as a text to a datastore. The user can
 * then ask the question again.
 */
export function AddAnswerDialog({ turn, agent, onClose }: AddAnswerDialogProps): ReactNode {
  const messages = useMessages(conversationsMessages);
  const shown = useLastDefined(turn);
  const canIngest = useHasScope('ingest');
  const problem = canIngest ? messages.noDatastore : messages.needsIngest;
  return (
    <Dialog
      description={messages.addHint}
      isOpen={turn !== undefined}
      onClose={onClose}
      title={messages.addAnswer}
      width="wide"
    >
      {agent === undefined || agent.datastoreIds.length === 0 || !canIngest ? (
        <p className="muted">{problem}</p>
      ) : (
        <AddAnswerForm agent={agent} key={shown?.id} onClose={onClose} question={shown?.question ?? ''} />
      )}
    </Dialog>
  );
}

interface AddAnswerFormProps {
  readonly agent: Agent;
  readonly question: string;
  readonly onClose: () => void;
}

const MAX_NAME = 200;

function AddAnswerForm({ agent, question, onClose }: AddAnswerFormProps): ReactNode {
  const messages = useMessages(conversationsMessages);
  const { cancel } = useMessages(componentMessages);
  const datastores = useExistingDatastores(agent.datastoreIds, NO_LIST);
  const [name, setName] = useState(question.slice(0, MAX_NAME));
  const [text, setText] = useState('');
  const [chosenId, setChosenId] = useState<string>();
  const datastoreId = chosenId ?? datastores[0]?.id ?? '';
  const { mutate, isPending, error, isSuccess } = useAddAnswer();
  if (isSuccess) return <AskAgainPanel agentId={agent.id} onClose={onClose} question={question} />;
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) mutate({ datastoreId, name: name.trim(), text });
      }}
    >
      <TextField label={messages.answerName} maxLength={MAX_NAME} onChange={setName} required value={name} />
      <TextArea
        hint={messages.answerTextHint}
        label={messages.answerText}
        onChange={setText}
        required
        rows={6}
        value={text}
      />
      <Select
        label={messages.datastore}
        onChange={setChosenId}
        options={datastores.map(({ id, name: label }) => ({ value: id, label }))}
        value={datastoreId}
      />
      {isPending && (
        <p className="muted" role="status">
          {messages.indexing}
        </p>
      )}
      {error !== null && <ErrorNotice error={error} title={messages.notIndexed} />}
      <DialogActions>
        <Button onClick={onClose}>{cancel}</Button>
        <Button
          disabled={datastoreId === '' || name.trim() === '' || text.trim() === ''}
          isBusy={isPending}
          kind="primary"
          type="submit"
        >
          {messages.addButton}
        </Button>
      </DialogActions>
    </form>
  );
}
