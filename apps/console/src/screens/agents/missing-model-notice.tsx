import type { ReactNode } from 'react';
import '../../components/panel.css';
import { WarningIcon } from '../../components/icons.js';
import { useMessages } from '../../language/language-context.js';
import { ScreenLink } from '../../routing/screen-link.js';
import { useHasScope } from '../../session/use-session.js';
import { agentsMessages } from './messages.js';
import { useHasModel } from './use-has-model.js';

/**
 * Explains that prompts and model settings have no effect without a connected language model. Shows nothing if a model
 * writes the answers, or if this cannot be determined.
 */
export function MissingModelNotice({ agentId }: { readonly agentId: string }): ReactNode {
  const messages = useMessages(agentsMessages);
  const isOperator = useHasScope('operate');
  if (useHasModel(agentId) !== false) return null;
  return (
    <div className="notice notice-warning missing-model" role="status">
      <WarningIcon />
      <div>
        <strong>{isOperator ? messages.noModelTitle : messages.lastWithoutModel}</strong>
        <p>
          {messages.noModelText}{' '}
          {isOperator ? <ScreenLink to="models">{messages.connectModel}</ScreenLink> : messages.askOperator}
        </p>
      </div>
    </div>
  );
}
