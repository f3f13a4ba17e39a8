import { QuarryError } from '@quarry/client';
import type { ReactNode } from 'react';
import { Button } from '../components/button.js';
import { ErrorNotice } from '../components/error-notice.js';
import { RetryIcon } from '../components/icons.js';
import { useMessages } from '../language/language-context.js';
import { answerMessages, type AnswerMessages } from './messages.js';

export interface AnswerFailureProps {
  readonly error: unknown;
  readonly onAskAgain: (() => void) | undefined;
}

/**
 * Explains why an answer failed and what the user can do next. Shows a button that asks again if `onAskAgain` is
 * defined.
 */
export function AnswerFailure({ error, onAskAgain }: AnswerFailureProps): ReactNode {
  const messages = useMessages(answerMessages);
  return (
    <div className="answer-failure">
      <ErrorNotice error={error} step={findNextStep(error, messages)} title={messages.answerFailed} />
      {onAskAgain !== undefined && (
        <Button icon={RetryIcon} onClick={onAskAgain}>
          {messages.askAgain}
        </Button>
      )}
    </div>
  );
}

const STEPS: Readonly<Record<string, keyof AnswerMessages>> = {
  model_not_configured: 'modelStep',
  model_refused: 'modelStep',
  model_parameter_refused: 'parameterStep',
  model_unavailable: 'busyStep',
  model_rate_limited: 'busyStep',
  model_timeout: 'busyStep',
  model_interrupted: 'busyStep',
  overloaded: 'busyStep',
  context_too_long: 'lengthStep',
  usage_limit_reached: 'limitStep',
};

/**
 * Returns a text that advises the user what to do after a failed answer. Returns undefined for errors whose next step
 * `ErrorNotice` selects, such as the end of the session.
 */
function findNextStep(error: unknown, messages: AnswerMessages): string | undefined {
  if (!(error instanceof QuarryError) || error.status === 401) return undefined;
  const step = messages[STEPS[error.code] ?? 'retryStep'];
  return typeof step === 'string' ? step : undefined;
}
