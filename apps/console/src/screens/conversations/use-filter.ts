import { useSearchValue } from '../../routing/screen-link.js';
import { FEEDBACK_FILTERS, ORDERS, TIME_FILTERS, type ConversationFilter } from './conversation-filter.js';

/** Holds the filter in the address, and functions that change it. */
export interface ConversationFilterState {
  readonly filter: ConversationFilter;
  readonly setAgent: (value: string) => void;
  readonly setFeedback: (value: string) => void;
  readonly setOrder: (value: string) => void;
  readonly setTime: (value: string) => void;
}

/** Reads the filter from the address, so that a link shows the same list. */
export function useFilter(): ConversationFilterState {
  const [agentId, setAgent] = useSearchValue('agentId');
  const [feedback, setFeedback] = useSearchValue('feedback');
  const [order, setOrder] = useSearchValue('order');
  const [time, setTime] = useSearchValue('time');
  const optional =
    (set: (value: string | undefined) => void) =>
    (value: string): void =>
      set(value === '' ? undefined : value);
  return {
    filter: {
      agentId: agentId === '' ? undefined : agentId,
      feedback: FEEDBACK_FILTERS.find((value) => value === feedback),
      order: ORDERS.find((value) => value === order) ?? 'unansweredFirst',
      time: TIME_FILTERS.find((value) => value === time),
    },
    setAgent: optional(setAgent),
    setFeedback: optional(setFeedback),
    setOrder: (value) => setOrder(value === 'unansweredFirst' ? undefined : value),
    setTime: optional(setTime),
  };
}
