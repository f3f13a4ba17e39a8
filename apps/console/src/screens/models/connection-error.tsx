import { QuarryError, type ModelProvider } from '@quarry/client';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { useMessages } from '../../language/language-context.js';
import { TechnicalDetails } from '../datasources/technical-details.js';
import { describeConnectionFailure } from './describe-connection-failure.js';
import { modelsMessages } from './messages.js';

export interface ConnectionErrorProps {
  readonly error: Error;
  readonly provider: ModelProvider;
}

/** Explains why a connection to a provider was not saved. */
export function ConnectionError({ error, provider }: ConnectionErrorProps): ReactNode {
  const messages = useMessages(modelsMessages);
  const detail = describeConnectionFailure(error, provider, messages);
  return (
    <>
      <ErrorNotice detail={detail} error={error} title={messages.testFailed} />
      {detail !== undefined && error instanceof QuarryError && (
        <TechnicalDetails description={detail} message={error.detail} />
      )}
    </>
  );
}
