import type { Agent, Datastore } from '@quarry/client';
import type { ReactNode } from 'react';
import { useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { firstRunMessages } from './messages.js';

interface AgentLinksProps {
  readonly datastore: Datastore;
  /** The agent that answers the questions. Null if the datastore has none. Undefined until the agent is loaded. */
  readonly agent: Agent | null | undefined;
  /** The id of the stored conversation. Undefined before the first answer. */
  readonly conversationId: string | undefined;
  /** Further content below the links, such as a button. */
  readonly children: ReactNode;
}

/** Explains that an agent answers the questions, and links to the agent, its datastore and the conversation. */
export function AgentLinks({ datastore, agent, conversationId, children }: AgentLinksProps): ReactNode {
  const messages = useMessages(firstRunMessages);
  if (agent === undefined) return null;
  return (
    <div className="agent-links">
      <p className="field-hint">{agent === null ? messages.agentHint(datastore.name) : messages.agentAnswers}</p>
      {agent !== null && (
        <ul>
          <li>
            {messages.agent}{' '}
            <ScreenLink parameters={{ agentId: agent.id }} search={{ conversation: conversationId }} to="agent">
              {agent.name}
            </ScreenLink>
          </li>
          <li>
            {messages.datastore}{' '}
            <ScreenLink parameters={{ datastoreId: datastore.id }} to="datastore">
              {datastore.name}
            </ScreenLink>
          </li>
          {conversationId !== undefined && (
            <li>
              <ScreenLink parameters={{ conversationId }} to="conversation">
                {messages.conversation}
              </ScreenLink>
            </li>
          )}
          {children !== false && <li>{children}</li>}
        </ul>
      )}
    </div>
  );
}
