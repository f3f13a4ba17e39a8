import type { Agent, UpdateAgentRequest } from '@quarry/client';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError } from '../../components/find-field-error.js';
import { TextArea } from '../../components/text-field.js';
import { useToasts } from '../../components/toasts.js';
import { pickChanges, useDraft } from '../../components/use-draft.js';
import { useMessages } from '../../language/language-context.js';
import { agentsMessages } from './messages.js';
import { MissingModelNotice } from './missing-model-notice.js';
import { PromptPreviewPanel } from './prompt-preview-panel.js';
import { useUpdateAgent } from './use-agents.js';

interface Prompts {
  readonly systemPrompt: string;
  readonly userPrompt: string;
}

/** Shows a form that changes the prompts of an agent, beside a preview of the messages to the model. */
export function PromptsTab({ agent }: { readonly agent: Agent }): ReactNode {
  const messages = useMessages(agentsMessages);
  const { showToast } = useToasts();
  const stored: Prompts = { systemPrompt: agent.systemPrompt ?? '', userPrompt: agent.userPrompt ?? '' };
  const { values, change, discard } = useDraft(stored);
  const { mutate, isPending, error } = useUpdateAgent(agent.id);
  const isChanged = Object.keys(pickChanges(stored, values)).length > 0;
  const save = (): void => {
    mutate(pickChanges(toStoredPrompts(stored), toStoredPrompts(values)), {
      onSuccess: (saved) => {
        discard(values);
        showToast({ text: (language) => agentsMessages[language].saved(saved.name) });
      },
    });
  };
  return (
    <div className="prompts">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending) save();
        }}
      >
        <MissingModelNotice agentId={agent.id} />
        <TextArea
          error={findFieldError(error, 'systemPrompt')}
          hint={messages.systemPromptHint}
          isOptional
          label={messages.systemPrompt}
          maxLength={32_000}
          onChange={(systemPrompt) => change({ systemPrompt })}
          rows={6}
          value={values.systemPrompt}
        />
        <TextArea
          error={findFieldError(error, 'userPrompt')}
          hint={messages.userPromptHint}
          isOptional
          label={messages.userPrompt}
          maxLength={32_000}
          onChange={(userPrompt) => change({ userPrompt })}
          rows={6}
          value={values.userPrompt}
        />
        {error !== null && <ErrorNotice error={error} />}
        <div className="form-actions">
          <Button disabled={!isChanged} isBusy={isPending} kind="primary" type="submit">
            {messages.save}
          </Button>
        </div>
      </form>
      <PromptPreviewPanel agentId={agent.id} {...values} />
    </div>
  );
}

/** Converts the texts of the form to the values for the API. Null resets a prompt to the default. */
function toStoredPrompts({ systemPrompt, userPrompt }: Prompts): UpdateAgentRequest {
  const toStored = (prompt: string): string | null => (prompt.trim() === '' ? null : prompt);
  return { systemPrompt: toStored(systemPrompt), userPrompt: toStored(userPrompt) };
}
