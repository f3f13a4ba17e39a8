import { QuarryError } from '@quarry/client';
import type { ServerTexts } from '../language/server-texts.js';
import type { componentMessages } from './messages.js';

type Messages = (typeof componentMessages)['en'];

interface Explanation {
  readonly heading: string;
  readonly detail: string;
  /** The original English text, if the translation in `detail` may omit details of this text. Otherwise undefined. */
  readonly original: string | undefined;
  readonly step: string | undefined;
  readonly requestId: string | undefined;
}

/** Returns a heading, a description and the next step for an error of the API, of the network or of the console. */
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
    const original = detail === error.detail || isFullyTranslated(error) ? undefined : error.detail;
    return { heading: messages.unexpectedTitle, detail, original, step: findNextStep(error, messages), requestId };
  }
  if (isNetworkError(error)) {
    return { heading: messages.unreachableTitle, detail: messages.unreachableDetail, ...nothing };
  }
  const detail = describeProblem(error);
  const original = error instanceof Error && error.message !== detail ? error.message : undefined;
  return { heading: messages.unexpectedTitle, detail, ...nothing, original };
}

/**
 * Returns true if a request received no response. `fetch` then rejects with a `TypeError`, which the client adds to its
 * own error as the cause. A `TypeError` without a cause is a fault of the console.
 */
function isNetworkError(error: unknown): boolean {
  return error instanceof TypeError && error.cause instanceof TypeError;
}

/** Returns true for an error whose German translation omits nothing of the English text. */
function isFullyTranslated({ status, code }: QuarryError): boolean {
  return status === 404 || code === 'internal_error';
}

function findNextStep({ status }: QuarryError, messages: Messages): string | undefined {
  if (status === 403) return messages.forbiddenStep;
  if (status === 404) return messages.notFoundStep;
  if (status === 409) return messages.conflictStep;
  if (status === 429) return messages.limitStep;
  if (status === 400) return messages.validationStep;
  return status >= 500 ? messages.serverStep : undefined;
}

/**
 * Returns true if the API responded with the status 404: the requested item does not exist, or the key cannot access
 * it.
 */
export function isNotFoundError(error: unknown): boolean {
  return error instanceof QuarryError && error.status === 404;
}
