import type { ReactNode } from 'react';
import { ErrorNotice } from '../components/error-notice.js';
import { useMessages } from '../language/language-context.js';
import { shellMessages } from './messages.js';

export interface ScreenErrorProps {
  readonly error: unknown;
}

/** Shows an error in place of a screen that has failed. The navigation stays visible. */
export function ScreenError({ error }: ScreenErrorProps): ReactNode {
  const messages = useMessages(shellMessages);
  return (
    <div className="page">
      <ErrorNotice
        error={error}
        // A reload also loads the current code if an update of Quarry has replaced the files of the old version.
        onRetry={() => location.reload()}
        title={messages.crashTitle}
      />
    </div>
  );
}
