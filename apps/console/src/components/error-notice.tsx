import { QuarryError } from '@quarry/client';
import type { ReactNode } from 'react';
import { useMessages } from '../language/language-context.js';
import { useServerTexts, type ServerTexts } from '../language/server-texts.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';
import './error-notice.css';
import { RetryIcon, WarningIcon } from './icons.js';
import { componentMessages } from './messages.js';

export interface ErrorNoticeProps {
  readonly error: unknown;
  /** Says what could not be done, such as `The datastores could not be loaded`. */
  readonly title?: string;
  /** Says what to do next. Default: a step that fits the status of the error. */
  readonly step?: string | undefined;
  /** Repeats what failed. Absent: the notice has no button. */
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
      {onRetry !== undefined && (
        <Button icon={RetryIcon} onClick={onRetry}>
          {messages.retry}
        </Button>
      )}
    </div>
  );
}

type Messages = (typeof componentMessages)['en'];

interface Explanation {
  readonly heading: string;
  readonly detail: string;
  /** The text of the API, if `detail` is a translation: it has the values that were found. */
  readonly original: string | undefined;
  readonly step: string | undefined;
  readonly requestId: string | undefined;
}

/** Explains an error of the client, of the network or of the console itself. */
export function explainError(
  error: unknown,
  messages: Messages,
  describeProblem: ServerTexts['describeProblem'],
): Explanation {
  const nothing = { original: undefined, step: undefined, requestId: undefined };
  if (error instanceof QuarryError && error.status === 401) {
    return { heading: messages.signedOutTitle, detail: messages.signedOutDetail, ...nothing };
  }
  if (error instanceof QuarryError) {
    const { requestId } = error;
    const detail = describeProblem(error);
    const original = detail === error.detail ? undefined : error.detail;
    return { heading: messages.unexpectedTitle, detail, original, step: findNextStep(error, messages), requestId };
  }
  // fetch rejects with a TypeError if the server does not respond.
  if (error instanceof TypeError && !(error.stack ?? '').includes('render')) {
    return { heading: messages.unreachableTitle, detail: messages.unreachableDetail, ...nothing };
  }
  return {
    heading: messages.unexpectedTitle,
    detail: error instanceof Error ? error.message : String(error),
    ...nothing,
  };
}

function findNextStep({ status }: QuarryError, messages: Messages): string | undefined {
  if (status === 403) return messages.forbiddenStep;
  if (status === 404) return messages.notFoundStep;
  if (status === 409) return messages.conflictStep;
  if (status === 429) return messages.limitStep;
  if (status === 400) return messages.validationStep;
  return status >= 500 ? messages.serverStep : undefined;
}
