import type { ReactNode } from 'react';
import { probeServer, waitUntilReachable } from '../api/wait-until-reachable.js';
import { ErrorNotice } from '../components/error-notice.js';
import { useMessages } from '../language/language-context.js';
import { PageHeader } from '../page/page-header.js';
import { shellMessages } from './messages.js';

export interface ScreenErrorProps {
  readonly error: unknown;
}

/** Shows an error in place of a screen that has failed. The navigation stays visible. */
export function ScreenError({ error }: ScreenErrorProps): ReactNode {
  const messages = useMessages(shellMessages);
  return (
    <>
      <PageHeader title={messages.crashTitle} />
      <div className="page">
        <ErrorNotice error={error} onRetry={() => void reloadWhenReachable()} />
      </div>
    </>
  );
}

/**
 * Reloads the page, which also loads the current code if an update of Quarry has replaced the files. Waits until Quarry
 * responds, because the browser would replace the console with its own error page.
 */
async function reloadWhenReachable(): Promise<void> {
  if (!(await probeServer())) await waitUntilReachable();
  location.reload();
}
