import type { AgentQueryResponse } from '@quarry/client';
import type { ReactNode } from 'react';
import { CodeBlock } from '../../components/code-block.js';
import { useMessages } from '../../language/language-context.js';
import { firstRunMessages } from './messages.js';

const PROVIDER = `OPENAI_API_KEY=sk-… npm start
# or ANTHROPIC_API_KEY, GOOGLE_API_KEY, DEEPSEEK_API_KEY, OPENROUTER_API_KEY`;
const OLLAMA = 'QUARRY_MODEL_BASE_URL=http://localhost:11434/v1 QUARRY_MODEL=llama3.2 npm start';

export interface ModelNoticeProps {
  /** Undefined before the first answer. */
  readonly answeredBy: AgentQueryResponse['answeredBy'] | undefined;
}

/** Explains who wrote the answers, and how to connect a language model. */
export function ModelNotice({ answeredBy }: ModelNoticeProps): ReactNode {
  const messages = useMessages(firstRunMessages);
  if (answeredBy === 'model') return <p className="muted">{messages.byModel}</p>;
  return (
    <details className="disclosure model-notice" open={answeredBy === 'extractive'}>
      <summary>{messages.modelTitle}</summary>
      <div className="model-steps">
        <p>{answeredBy === 'extractive' ? messages.extractive : messages.unknown}</p>
        <p>{messages.how}</p>
        <h3>{messages.provider}</h3>
        <CodeBlock code={PROVIDER} isWrapped label={messages.provider} />
        <h3>{messages.ollama}</h3>
        <CodeBlock code={OLLAMA} isWrapped label={messages.ollama} />
        <p className="field-hint">{messages.ollamaHint}</p>
      </div>
    </details>
  );
}
