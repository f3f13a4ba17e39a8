import type { Conversation } from '@quarry/client';
import type { ReactNode } from 'react';
import type { Pages } from '../../api/use-pages.js';
import { FormattedNumber } from '../../components/formatted-number.js';
import { StatusBadge } from '../../components/status-badge.js';
import { Table } from '../../components/table.js';
import { RelativeTime } from '../../components/relative-time.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { conversationsMessages } from './messages.js';
import { useAgentsById } from './use-conversations.js';

/** Shows the conversations as rows. The first question of a conversation is its name. */
export function ConversationTable({ conversations }: { readonly conversations: Pages<Conversation> }): ReactNode {
  const messages = useMessages(conversationsMessages);
  const { data: agents } = useAgentsById();
  return (
    <Table
      columns={[
        {
          key: 'question',
          title: messages.question,
          kind: 'main',
          render: (row) => <QuestionCell {...row} />,
        },
        { key: 'state', title: messages.state, render: (row) => <UnansweredCell {...row} /> },
        {
          key: 'agent',
          isSecondary: true,
          title: messages.agent,
          render: ({ agentId }) =>
            agents === undefined
              ? undefined
              : (agents.get(agentId)?.name ?? <span className="muted">{messages.deletedAgent}</span>),
        },
        {
          key: 'questions',
          isSecondary: true,
          title: messages.questions,
          kind: 'number',
          render: ({ turns }) => <FormattedNumber value={turns} />,
        },
        {
          key: 'feedback',
          isSecondary: true,
          title: messages.feedback,
          render: ({ feedback }) => <FeedbackCell {...feedback} />,
        },
        {
          key: 'started',
          isSecondary: true,
          title: messages.started,
          render: ({ createdAt }) => <RelativeTime value={createdAt} />,
        },
      ]}
      getKey={({ id }) => id}
      label={messages.title}
      more={conversations.more}
      rows={conversations.items}
    />
  );
}

function QuestionCell({ id, firstQuestion }: Conversation): ReactNode {
  const messages = useMessages(conversationsMessages);
  return (
    <ScreenLink className="conversation-question" parameters={{ conversationId: id }} to="conversation">
      {firstQuestion.trim() === '' ? messages.conversation : firstQuestion}
    </ScreenLink>
  );
}

function UnansweredCell({ unanswered }: Conversation): ReactNode {
  const messages = useMessages(conversationsMessages);
  const formats = useFormats();
  if (unanswered === 0) return <StatusBadge tone="success">{messages.answered}</StatusBadge>;
  return <StatusBadge tone="warning">{messages.unanswered(formats.number(unanswered))}</StatusBadge>;
}

function FeedbackCell({ up, down }: Conversation['feedback']): ReactNode {
  const messages = useMessages(conversationsMessages);
  const formats = useFormats();
  if (up === 0 && down === 0) return <span className="muted">–</span>;
  return (
    <span className="tags">
      {up > 0 && <StatusBadge tone="success">{messages.upCount(formats.number(up))}</StatusBadge>}
      {down > 0 && <StatusBadge tone="danger">{messages.downCount(formats.number(down))}</StatusBadge>}
    </span>
  );
}
