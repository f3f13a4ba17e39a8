import { useSearchParameter } from '../../routing/screen-link.js';
import { FEEDBACK_FILTERS, ORDERS, TIME_FILTERS, type ConversationFilter } from './conversation-filter.js';

/** The filter of the list of conversations in the address, and functions that change it. */
export interface ConversationFilterState {
  readonly filter: ConversationFilter;
  readonly setAgent: (value: string) => void;
  readonly setFeedback: (value: string) => void;
  readonly setOrder: (value: string) => void;
  readonly setTime: (value: string) => void;
}

/**
 * Reads the filter of the list of conversations from the address, so that a link to the address shows the same list.
 */
export function useConversationFilter(): ConversationFilterState {
  const [agentId, setAgent] = useSearchParameter('agentId');
  const [feedback, setFeedback] = useSearchParameter('feedback');
  const [order, setOrder] = useSearchParameter('order');
  const [time, setTime] = useSearchParameter('time');
  const createSetter =
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
    setAgent: createSetter(setAgent),
    setFeedback: createSetter(setFeedback),
    setOrder: (value) => setOrder(value === 'unansweredFirst' ? undefined : value),
    setTime: createSetter(setTime),
  };
}
