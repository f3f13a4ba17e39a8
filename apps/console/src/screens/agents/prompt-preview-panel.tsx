import type { PromptPreview } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { TextField } from '../../components/text-field.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { agentsMessages } from './messages.js';
import { usePromptPreview } from './use-agents.js';

interface PromptPreviewPanelProps {
  readonly agentId: string;
  /** The system prompt as entered in the form, which may not be saved yet. */
  readonly systemPrompt: string;
  readonly userPrompt: string;
}

/** Shows the messages that the model receives for an example question. */
export function PromptPreviewPanel({ agentId, systemPrompt, userPrompt }: PromptPreviewPanelProps): ReactNode {
  const messages = useMessages(agentsMessages);
  const [query, setQuery] = useState('');
  const { mutate, data, error, isPending } = usePromptPreview(agentId);
  return (
    <section aria-label={messages.previewTitle} className="prompt-preview">
      <h2>{messages.previewTitle}</h2>
      <p className="muted">{messages.previewIntro}</p>
      <form
        className="prompt-question"
        onSubmit={(event) => {
          event.preventDefault();
          if (query.trim() !== '' && !isPending) mutate({ query: query.trim(), systemPrompt, userPrompt });
        }}
      >
        <TextField label={messages.previewQuestion} onChange={setQuery} value={query} />
        <Button disabled={query.trim() === ''} isBusy={isPending} type="submit">
          {messages.preview}
        </Button>
      </form>
      {error !== null && <ErrorNotice error={error} title={messages.previewFailed} />}
      {isPending && <Skeleton lines={5} />}
      {data === undefined && error === null && !isPending && <p className="muted">{messages.previewEmpty}</p>}
      {data !== undefined && <PromptMessages preview={data} />}
    </section>
  );
}

function PromptMessages({ preview }: { readonly preview: PromptPreview }): ReactNode {
  const messages = useMessages(agentsMessages);
  const formats = useFormats();
  if (preview.answeredBy === 'extractive') return <p className="muted">{messages.nothingSent}</p>;
  const sources = formats.plural(preview.sources, { one: messages.sourceOne, other: messages.sourceOther });
  const tokens = formats.plural(preview.promptTokens, { one: messages.tokensOne, other: messages.tokensOther });
  const shown = [
    ...(preview.system === null ? [] : [{ title: messages.systemMessage, text: preview.system }]),
    ...preview.messages.map(({ role, text }) => ({
      title: role === 'user' ? messages.userMessage : messages.assistantMessage,
      text,
    })),
  ];
  return (
    <>
      <p className="muted numbers">{messages.previewSummary(preview.model ?? '', sources, tokens)}</p>
      {shown.map(({ title, text }, index) => (
        <div className="prompt-message" key={index}>
          <h3>{title}</h3>
          <CodeBlock code={text} isWrapped label={title} />
        </div>
      ))}
    </>
  );
}
