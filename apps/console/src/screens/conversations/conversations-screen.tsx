import { useEffect, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { ConversationIcon, SearchIcon } from '../../components/icons.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../language/language-context.js';
import { PageHeader } from '../../page/page-header.js';
import { ScreenLink, useOpenScreen } from '../../routing/screen-link.js';
import { ConversationTable } from './conversation-table.js';
import './conversations.css';
import { ConversationFilterBar } from './conversation-filter-bar.js';
import { conversationsMessages } from './messages.js';
import { useConversations } from './use-conversations.js';
import { useConversationFilter } from './use-conversation-filter.js';

/** Shows the conversations with all agents. By default, conversations with an unanswered question come first. */
export function ConversationsScreen(): ReactNode {
  const messages = useMessages(conversationsMessages);
  const openScreen = useOpenScreen();
  const { filter } = useConversationFilter();
  const conversations = useConversations(filter);
  const { items, isPending, refetch, more } = conversations;
  const error = conversations.error ?? (items.length === 0 ? more.error : null);
  const { agentId, feedback, order, time } = filter;
  const isFiltered =
    agentId !== undefined || feedback !== undefined || time !== undefined || order === 'unansweredOnly';
  const isLoading = isPending || (items.length === 0 && more.hasMore);
  // In the order `unansweredFirst`, the first page can be empty although pages of answered conversations follow.
  const mustContinue = items.length === 0 && error === null && more.hasMore && !more.isLoading;
  useEffect(() => {
    if (mustContinue) more.onLoad();
  });
  const isEmpty = !isLoading && error === null && items.length === 0;
  const reset = (
    <Button onClick={() => openScreen({ to: 'conversations', isReplacing: true })}>{messages.resetFilters}</Button>
  );
  const openAgents = (
    <ScreenLink className="button button-primary" to="agents">
      {messages.openAgents}
    </ScreenLink>
  );
  return (
    <>
      <PageHeader title={messages.title} />
      <div className="page">
        {(!isEmpty || isFiltered) && <ConversationFilterBar />}
        {error !== null && <ErrorNotice error={error} onRetry={refetch} title={messages.loadFailed} />}
        {isLoading && error === null && <Skeleton lines={8} shape="rows" />}
        {isEmpty && (
          <EmptyState
            actions={isFiltered ? reset : openAgents}
            icon={isFiltered ? SearchIcon : ConversationIcon}
            title={isFiltered ? messages.noneTitle : messages.emptyTitle}
          >
            {isFiltered ? messages.noneText : messages.emptyText}
          </EmptyState>
        )}
        {items.length > 0 && <ConversationTable conversations={conversations} />}
      </div>
    </>
  );
}
