import type { ReactNode } from 'react';
import type { Pages } from '../api/use-pages.js';
import { Button } from '../components/button.js';
import { EmptyState } from '../components/empty-state.js';
import { ErrorNotice } from '../components/error-notice.js';
import { PlusIcon, type Icon } from '../components/icons.js';
import { Skeleton } from '../components/skeleton.js';
import { PageHeader } from './page-header.js';

export interface ListPageProps {
  readonly list: Pages<unknown>;
  readonly messages: ListMessages;
  /** The icon that is shown while the list is empty. */
  readonly icon: Icon;
  readonly onCreate: () => void;
  /** The table of the items. It is shown if the list contains items. */
  readonly children: ReactNode;
}

/** The texts of a list page, which the message catalogue of its screen contains. */
export interface ListMessages {
  readonly title: string;
  readonly intro: string;
  readonly create: string;
  readonly loadFailed: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
}

/**
 * Shows a page with a list and a button that creates an item. If the list is empty, the page shows instructions for the
 * first item.
 */
export function ListPage({ list, messages, icon, onCreate, children }: ListPageProps): ReactNode {
  const { items, isPending, error, refetch } = list;
  const isEmpty = !isPending && error === null && items.length === 0;
  const createButton = (
    <Button icon={PlusIcon} kind="primary" onClick={onCreate}>
      {messages.create}
    </Button>
  );
  return (
    <>
      <PageHeader actions={isEmpty ? undefined : createButton} title={messages.title} />
      <div className="page">
        {error !== null && <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />}
        {isPending && <Skeleton lines={6} shape="rows" />}
        {isEmpty && (
          <EmptyState actions={createButton} icon={icon} title={messages.emptyTitle}>
            {messages.emptyText}
          </EmptyState>
        )}
        {items.length > 0 && (
          <>
            <p className="page-intro">{messages.intro}</p>
            {children}
          </>
        )}
      </div>
    </>
  );
}
