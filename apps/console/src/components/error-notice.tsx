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
  /** Text that describes the error. Default: the description of the API. */
  readonly detail?: string | undefined;
  /** Text that advises the user what to do next. Default: a text that depends on the HTTP status of the error. */
  readonly step?: string | undefined;
  /**
   * Repeats the failed action when the user presses the button. Without `onRetry`, or for a status 404, the notice has
   * no button.
   */
  readonly onRetry?: () => void;
}

/**
 * Explains an error: what happened, what to do next, and the id of the failed request, with which an operator finds it
 * in the logs.
 */
export function ErrorNotice({
  error,
  title,
  detail: givenDetail,
  step: givenStep,
  onRetry,
}: ErrorNoticeProps): ReactNode {
  const messages = useMessages(componentMessages);
  const { describeProblem } = useServerTexts();
  const { heading, detail, original, requestId, ...explanation } = explainError(error, messages, describeProblem);
  const step = givenStep ?? explanation.step;
  return (
    <div className="error-notice" role="alert">
      <WarningIcon size={18} />
      <div className="error-notice-text">
        <strong>{title ?? heading}</strong>
        <p>{givenDetail ?? detail}</p>
        {givenDetail === undefined && original !== undefined && (
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
