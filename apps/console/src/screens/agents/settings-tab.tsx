import type { Agent } from '@quarry/client';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Checkbox } from '../../components/checkbox.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError } from '../../components/find-field-error.js';
import { NumberField } from '../../components/number-field.js';
import { Select } from '../../components/select.js';
import { TextArea, TextField } from '../../components/text-field.js';
import { useToasts } from '../../components/toasts.js';
import { pickChanges, useDraft } from '../../components/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import {
  buildAgentUpdate,
  createAgentDraft,
  getNumberKind,
  isCompleteDraft,
  NUMBERS,
  parseModelName,
  type AgentDraft,
} from './agent-draft.js';
import { DatastoreChoice } from './datastore-choice.js';
import { agentsMessages } from './messages.js';
import { MissingModelNotice } from './missing-model-notice.js';
import { MODELS } from './models.js';
import { useUpdateAgent } from './use-agents.js';

/** Shows a form that changes the settings of an agent. */
export function SettingsTab({ agent }: { readonly agent: Agent }): ReactNode {
  const messages = useMessages(agentsMessages);
  const { showToast } = useToasts();
  const stored = createAgentDraft(agent);
  const { values: draft, change: changeDraft, discard } = useDraft(stored);
  const { mutate, isPending, error } = useUpdateAgent(agent.id);
  const isChanged = Object.keys(pickChanges(stored, draft)).length > 0;
  const save = (): void =>
    mutate(buildAgentUpdate(stored, draft), {
      onSuccess: (saved) => {
        // Changes that the user made during the request stay in the form.
        discard(draft);
        showToast({ text: (language) => agentsMessages[language].saved(saved.name) });
      },
    });
  return (
    <form
      className="form agent-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isCompleteDraft(draft) && !isPending) save();
      }}
    >
      <TextField
        error={findFieldError(error, 'name')}
        label={messages.name}
        maxLength={200}
        onChange={(name) => changeDraft({ name })}
        required
        value={draft.name}
      />
      <TextArea
        isOptional
        label={messages.description}
        maxLength={2_000}
        onChange={(description) => changeDraft({ description })}
        value={draft.description}
      />
      <KnowledgeFields draft={draft} onChange={changeDraft} />
      <h2>{messages.generation}</h2>
      <MissingModelNotice agentId={agent.id} />
      <ModelFields draft={draft} error={error} onChange={changeDraft} />
      {error !== null && <ErrorNotice error={error} />}
      <div className="form-actions">
        <Button disabled={!isChanged || !isCompleteDraft(draft)} isBusy={isPending} kind="primary" type="submit">
          {messages.save}
        </Button>
        <Button disabled={!isChanged} kind="quiet" onClick={() => discard(draft)}>
          {messages.reset}
        </Button>
      </div>
    </form>
  );
}

interface FieldsProps {
  readonly draft: AgentDraft;
  readonly onChange: (part: Partial<AgentDraft>) => void;
}

/** Shows the fields that choose the datastores, restrict the answers to them and enable citation marks. */
function KnowledgeFields({ draft, onChange }: FieldsProps): ReactNode {
  const messages = useMessages(agentsMessages);
  return (
    <>
      <h2>{messages.knowledge}</h2>
      <DatastoreChoice chosen={draft.datastoreIds} onChange={(datastoreIds) => onChange({ datastoreIds })} />
      <Checkbox
        hint={messages.restrictHint}
        isChecked={draft.restrictToKnowledge}
        label={messages.restrict}
        onChange={(restrictToKnowledge) => onChange({ restrictToKnowledge })}
      />
      <Checkbox
        hint={messages.marksHint}
        isChecked={draft.citationMarks}
        label={messages.marks}
        onChange={(citationMarks) => onChange({ citationMarks })}
      />
    </>
  );
}

function ModelFields({ draft, error, onChange }: FieldsProps & { readonly error: unknown }): ReactNode {
  const messages = useMessages(agentsMessages);
  const models = Object.entries(MODELS).map(([value, label]) => ({ value: parseModelName(value), label }));
  return (
    <>
      <Select
        error={findFieldError(error, 'modelName')}
        hint={messages.modelDefaultHint}
        label={messages.model}
        onChange={(modelName) => onChange({ modelName })}
        options={[{ value: '', label: messages.defaultModel }, ...models]}
        value={draft.modelName}
      />
      <div className="form-row">
        {NUMBERS.map((name) => (
          <NumberField
            error={findFieldError(error, name)}
            isOptional
            key={name}
            kind={getNumberKind(name)}
            label={messages[name]}
            onChange={(value) => onChange({ [name]: value })}
            value={draft[name]}
            {...(name === 'temperature' ? { hint: messages.temperatureHint } : {})}
          />
        ))}
      </div>
    </>
  );
}
