import type { ReactNode } from 'react';
import { Select } from '../../components/select.js';
import { useMessages } from '../../language/language-context.js';
import { FEEDBACK_FILTERS, ORDERS, TIME_FILTERS } from './conversation-filter.js';
import { conversationsMessages } from './messages.js';
import { useAgentsById } from './use-conversations.js';
import { useConversationFilter } from './use-conversation-filter.js';

/** Shows the filters of the list of conversations. */
export function ConversationFilterBar(): ReactNode {
  const messages = useMessages(conversationsMessages);
  const { filter, setAgent, setFeedback, setOrder, setTime } = useConversationFilter();
  const agents = [...(useAgentsById().data?.values() ?? [])].map(({ id, name }) => ({ value: id, label: name }));
  const feedback = FEEDBACK_FILTERS.map((value) => ({ value, label: messages[value] }));
  const times = TIME_FILTERS.map((value) => ({ value, label: messages[value] }));
  return (
    <div className="filter-bar" role="search">
      <Select
        label={messages.order}
        onChange={setOrder}
        options={ORDERS.map((value) => ({ value, label: messages[value] }))}
        value={filter.order}
      />
      <Select
        label={messages.agent}
        onChange={setAgent}
        options={[{ value: '', label: messages.allAgents }, ...agents]}
        value={filter.agentId ?? ''}
      />
      <Select<string>
        label={messages.feedback}
        onChange={setFeedback}
        options={[{ value: '', label: messages.anyFeedback }, ...feedback]}
        value={filter.feedback ?? ''}
      />
      <Select<string>
        label={messages.time}
        onChange={setTime}
        options={[{ value: '', label: messages.allTime }, ...times]}
        value={filter.time ?? ''}
      />
    </div>
  );
}
