import type { ReactNode } from 'react';
import { useMessages } from '../language/language-context.js';
import './data.css';
import { ErrorNotice } from './error-notice.js';
import { componentMessages } from './messages.js';
import { Skeleton } from './skeleton.js';

/** The state of the rows of a list that are not loaded yet. */
export interface MoreRows {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  /** The error with which the next page could not be loaded; null without a failure. */
  readonly error: Error | null;
  readonly onLoad: () => void;
}

/**
 * Shows at the end of a list that its next page is loading, or the error with which loading failed. Otherwise shows
 * nothing.
 */
export function ListEnd({ isLoading, error, onLoad }: MoreRows): ReactNode {
  const messages = useMessages(componentMessages);
  if (isLoading) return <Skeleton lines={1} shape="rows" />;
  if (error === null) return null;
  return (
    <div className="list-end">
      <ErrorNotice error={error} onRetry={onLoad} title={messages.moreFailed} />
    </div>
  );
}
