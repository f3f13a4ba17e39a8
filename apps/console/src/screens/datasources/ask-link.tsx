import type { ReactNode } from 'react';
import { ConversationIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { useHasScope } from '../../session/use-session.js';
import { useDatastoreAgent } from '../agents/use-datastore-agent.js';
import { datasourcesMessages } from './messages.js';

/**
 * Shows a link to the agent that answers from this datastore only. If there is none, the link opens the screen of the
 * first steps, which creates an agent at the first question.
 */
export function AskLink({ datastoreId }: { readonly datastoreId: string }): ReactNode {
  const messages = useMessages(datasourcesMessages);
  const canOpen = useHasScope('manage');
  const { data: agent, isPending } = useDatastoreAgent(datastoreId, canOpen);
  if (!canOpen || isPending) return null;
  const attributes = {
    'aria-label': messages.ask,
    className: 'button button-secondary',
    children: (
      <>
        <ConversationIcon />
        <span className="button-label-wide">{messages.ask}</span>
      </>
    ),
  };
  return agent === undefined || agent === null ? (
    <ScreenLink {...attributes} search={{ datastore: datastoreId }} to="firstRun" />
  ) : (
    <ScreenLink {...attributes} parameters={{ agentId: agent.id }} to="agent" />
  );
}
