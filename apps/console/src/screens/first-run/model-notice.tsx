import type { AgentQueryResponse } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { useMessages } from '../../language/language-context.js';
import { useHasScope } from '../../session/use-session.js';
import { ConnectModelDialog } from '../models/connect-model-dialog.js';
import { LocalModelsNotice } from '../models/local-models-notice.js';
import { firstRunMessages } from './messages.js';

const PROVIDER = `OPENAI_API_KEY=sk-… npm start
# or ANTHROPIC_API_KEY, GOOGLE_API_KEY, DEEPSEEK_API_KEY, OPENROUTER_API_KEY`;
const OLLAMA = 'QUARRY_MODEL_BASE_URL=http://localhost:11434/v1 QUARRY_MODEL=llama3.2 npm start';

export interface ModelNoticeProps {
  /**
   * The author of the latest answer: a language model, or Quarry itself with an extractive answer. Undefined before the
   * first answer, and while an answer is generated.
   */
  readonly answeredBy: AgentQueryResponse['answeredBy'] | undefined;
}

/** Explains who wrote the answers, and how to connect a language model. */
export function ModelNotice({ answeredBy }: ModelNoticeProps): ReactNode {
  const messages = useMessages(firstRunMessages);
  const isOperator = useHasScope('operate');
  if (answeredBy === 'model') return <p className="muted">{messages.byModel}</p>;
  return (
    <details className="disclosure model-notice" open={answeredBy === 'extractive'}>
      <summary>{messages.modelTitle}</summary>
      <div className="model-steps">
        <p>{answeredBy === 'extractive' ? messages.extractive : messages.unknown}</p>
        {isOperator ? <ModelConnectionOptions /> : <ModelEnvironmentVariables />}
      </div>
    </details>
  );
}

/**
 * Shows a button that connects a provider of language models, and a form that connects an Ollama server if one was
 * found on the machine of Quarry.
 */
function ModelConnectionOptions(): ReactNode {
  const messages = useMessages(firstRunMessages);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <LocalModelsNotice />
      <p>{messages.connectHint}</p>
      <Button onClick={() => setIsOpen(true)}>{messages.modelTitle}</Button>
      <ConnectModelDialog isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  );
}

/** Lists the environment variables with which an operator connects a language model. */
function ModelEnvironmentVariables(): ReactNode {
  const messages = useMessages(firstRunMessages);
  return (
    <>
      <p>{messages.how}</p>
      <h3>{messages.provider}</h3>
      <CodeBlock code={PROVIDER} isWrapped label={messages.provider} />
      <h3>{messages.ollama}</h3>
      <CodeBlock code={OLLAMA} isWrapped label={messages.ollama} />
    </>
  );
}
