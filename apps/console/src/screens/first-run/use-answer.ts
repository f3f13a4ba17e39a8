import type { AgentQueryResponse } from '@quarry/client';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../api/client-context.js';

/** An answer during and after its streaming. */
export interface Answer {
  readonly question: string;
  readonly text: string;
  readonly isStreaming: boolean;
  readonly response?: AgentQueryResponse;
  readonly error?: unknown;
}

interface Asking {
  readonly answer: Answer | undefined;
  readonly ask: (question: string) => void;
  readonly stop: () => void;
}

/**
 * Returns a function that asks an agent of the datastore, and the streamed answer. The agent is created with the first
 * question.
 */
export function useAnswer(datastoreId: string, agentName: string): Asking {
  const client = useClient();
  const [answer, setAnswer] = useState<Answer>();
  const agent = useRef<Promise<{ readonly id: string }>>(undefined);
  const abort = useRef<AbortController>(undefined);
  useEffect(() => () => abort.current?.abort(), []);

  const stream = async (question: string, signal: AbortSignal): Promise<void> => {
    let text = '';
    try {
      agent.current ??= findOrCreateAgent();
      const { id } = await agent.current;
      for await (const event of client.streamAgent(id, { query: question, resumable: true }, { signal })) {
        if (event.type === 'answer') text += event.text;
        else setAnswer({ question, text: event.response.answer, isStreaming: false, response: event.response });
        if (event.type === 'answer') setAnswer({ question, text, isStreaming: true });
      }
    } catch (error) {
      if (signal.aborted) setAnswer({ question, text, isStreaming: false });
      else {
        agent.current = undefined;
        setAnswer({ question, text, isStreaming: false, error });
      }
    }
  };
  const findOrCreateAgent = async (): Promise<{ readonly id: string }> => {
    const { items } = await client.listAgents({ limit: 100 });
    const known = items.find(({ datastoreIds }) => datastoreIds.length === 1 && datastoreIds[0] === datastoreId);
    return known ?? client.createAgent({ name: agentName, datastoreIds: [datastoreId] });
  };
  return {
    answer,
    ask: (question) => {
      abort.current?.abort();
      abort.current = new AbortController();
      setAnswer({ question, text: '', isStreaming: true });
      void stream(question, abort.current.signal);
    },
    stop: () => abort.current?.abort(),
  };
}
