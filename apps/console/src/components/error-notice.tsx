import type { ReactNode } from 'react';
import { useMessages } from '../language/language-context.js';
import { useServerTexts } from '../language/server-texts.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import './error-notice.css';
import { explainError, isNotFoundError } from './explain-error.js';
import { RetryIcon, WarningIcon } from './icons.js';
import { componentMessages } from './messages.js';

export interface ErrorNoticeProps {
  readonly error: unknown;
  /** The failed action, such as `The datastores could not be loaded`. */
  readonly title?: string;
  /** The next step for the user. Default: a step that fits the status of the error. */
  readonly step?: string | undefined;
  /** Repeats the failed action. Absent: the notice has no button. After a status 404, there is no button either. */
  readonly onRetry?: () => void;
}

/** Explains an error: what happened, the next step, and the id of the request for the operator. */
export function ErrorNotice({ error, title, step: givenStep, onRetry }: ErrorNoticeProps): ReactNode {
  const messages = useMessages(componentMessages);
  const { describeProblem } = useServerTexts();
  const { heading, detail, original, requestId, ...explanation } = explainError(error, messages, describeProblem);
  const step = givenStep ?? explanation.step;
  return (
    <div className="error-notice" role="alert">
      <WarningIcon size={18} />
      <div className="error-notice-text">
        <strong>{title ?? heading}</strong>
        <p>{detail}</p>
        {original !== undefined && (
          <p className="muted" lang="en">
            {original}
          </p>
        )}
        {step !== undefined && <p className="muted">{step}</p>}
        {requestId !== undefined && (
          <p className="error-notice-request">
            {messages.requestId} <code>{requestId}</code> <CopyButton text={requestId} />
          </p>
        )}
      </div>
      {onRetry !== undefined && !isNotFoundError(error) && (
        <Button icon={RetryIcon} onClick={onRetry}>
          {messages.retry}
        </Button>
      )}
    </div>
  );
}
