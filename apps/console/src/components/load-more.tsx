import type { ReactNode } from 'react';
import { useMessages } from '../language/language-context.js';
import { Button } from './button.js';
import './data.css';
import { componentMessages } from './messages.js';

export interface LoadMoreProps {
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly onLoad: () => void;
}

/** Shows the end of a list that has further pages. */
export function LoadMore({ hasMore, isLoading, onLoad }: LoadMoreProps): ReactNode {
  const messages = useMessages(componentMessages);
  if (!hasMore) return null;
  return (
    <div className="list-footer">
      <Button isBusy={isLoading} onClick={onLoad}>
        {messages.loadMore}
      </Button>
    </div>
  );
}
