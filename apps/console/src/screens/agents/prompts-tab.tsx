import type { Agent } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError } from '../../components/find-field-error.js';
import { TextArea } from '../../components/text-field.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { agentsMessages } from './messages.js';
import { MissingModelNotice } from './missing-model-notice.js';
import { PromptPreviewPanel } from './prompt-preview-panel.js';
import { useUpdateAgent } from './use-agents.js';

/** Shows a form that changes the prompts of an agent, beside a preview of the messages to the model. */
export function PromptsTab({ agent }: { readonly agent: Agent }): ReactNode {
  const messages = useMessages(agentsMessages);
  const { showToast } = useToasts();
  const [systemPrompt, setSystemPrompt] = useState(agent.systemPrompt ?? '');
  const [userPrompt, setUserPrompt] = useState(agent.userPrompt ?? '');
  const { mutate, isPending, error } = useUpdateAgent(agent.id);
  const isChanged = systemPrompt !== (agent.systemPrompt ?? '') || userPrompt !== (agent.userPrompt ?? '');
  const toStored = (prompt: string): string | null => (prompt.trim() === '' ? null : prompt);
  const save = (): void =>
    mutate(
      { systemPrompt: toStored(systemPrompt), userPrompt: toStored(userPrompt) },
      { onSuccess: (saved) => showToast({ text: (language) => agentsMessages[language].saved(saved.name) }) },
    );
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
          onChange={setSystemPrompt}
          rows={6}
          value={systemPrompt}
        />
        <TextArea
          error={findFieldError(error, 'userPrompt')}
          hint={messages.userPromptHint}
          isOptional
          label={messages.userPrompt}
          maxLength={32_000}
          onChange={setUserPrompt}
          rows={6}
          value={userPrompt}
        />
        {error !== null && <ErrorNotice error={error} />}
        <div className="form-actions">
          <Button disabled={!isChanged} isBusy={isPending} kind="primary" type="submit">
            {messages.save}
          </Button>
        </div>
      </form>
      <PromptPreviewPanel agentId={agent.id} systemPrompt={systemPrompt} userPrompt={userPrompt} />
    </div>
  );
}
