import type { CreateApiKeyRequest } from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Checkbox } from '../../components/checkbox.js';
import { ChoiceList, type ChoiceListProps } from '../../components/choice-list.js';
import { DialogActions } from '../../components/dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { findFieldError } from '../../components/find-field-error.js';
import { componentMessages } from '../../components/messages.js';
import { Select } from '../../components/select.js';
import { TextField } from '../../components/text-field.js';
import { useFormats, useLanguage, useMessages } from '../../language/language-context.js';
import { SCOPES, type Scope } from '../../routing/define-screen.js';
import { useSession } from '../../session/use-session.js';
import { useAgents } from '../agents/use-agents.js';
import { useDatastores } from '../datastores/use-datastores.js';
import { EXPIRIES, formatDays, computeExpiryTime, type Expiry } from './expiry.js';
import { keysMessages } from './messages.js';
import type { useCreateKey } from './use-keys.js';

interface CreateKeyFormProps {
  readonly creation: ReturnType<typeof useCreateKey>;
  readonly onClose: () => void;
}

interface Draft {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly agentIds: readonly string[];
  readonly datastoreIds: readonly string[];
  readonly expiry: Expiry;
  readonly isForChaindesk: boolean;
}

const EMPTY: Draft = {
  name: '',
  scopes: ['query'],
  agentIds: [],
  datastoreIds: [],
  expiry: 'never',
  isForChaindesk: false,
};

/** Shows the form for the name, scopes, limits and expiry of a new API key. */
export function CreateKeyForm({ creation: { mutate, isPending, error }, onClose }: CreateKeyFormProps): ReactNode {
  const messages = useMessages(keysMessages);
  const { cancel } = useMessages(componentMessages);
  const { key } = useSession();
  const [draft, setDraft] = useState(EMPTY);
  const changeDraft = (changes: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...changes }));
  };
  const nameError = findFieldError(error, 'name');
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) mutate(buildCreateKeyRequest(draft));
      }}
    >
      <TextField
        error={nameError}
        hint={messages.nameHint}
        label={messages.name}
        maxLength={200}
        onChange={(name) => {
          changeDraft({ name });
        }}
        required
        value={draft.name}
      />
      <ScopeChoice
        granted={key.scopes}
        onChange={(scopes) => {
          changeDraft({ scopes });
        }}
        scopes={draft.scopes}
      />
      <KeyLimitFields draft={draft} onChange={changeDraft} />
      <ExpirySelect
        onChange={(expiry) => {
          changeDraft({ expiry });
        }}
        value={draft.expiry}
      />
      <ChaindeskCheckbox draft={draft} onChange={changeDraft} />
      {error !== null && nameError === undefined && <ErrorNotice error={error} />}
      <DialogActions>
        <Button disabled={isPending} onClick={onClose}>
          {cancel}
        </Button>
        <Button
          disabled={draft.name.trim() === '' || draft.scopes.length === 0}
          isBusy={isPending}
          kind="primary"
          type="submit"
        >
          {messages.createAction}
        </Button>
      </DialogActions>
    </form>
  );
}

interface KeyLimitFieldsProps {
  readonly draft: Pick<Draft, 'agentIds' | 'datastoreIds'>;
  readonly onChange: (changes: Partial<Draft>) => void;
}

function KeyLimitFields({ draft, onChange }: KeyLimitFieldsProps): ReactNode {
  const messages = useMessages(keysMessages);
  const agents = useAgents();
  const datastores = useDatastores();
  return (
    <fieldset className="field-group">
      <legend>{messages.limits}</legend>
      <KeyLimitChoice
        chosen={draft.datastoreIds}
        list={datastores}
        onChange={(datastoreIds) => onChange({ datastoreIds })}
        title={messages.datastores}
      />
      <KeyLimitChoice
        chosen={draft.agentIds}
        list={agents}
        onChange={(agentIds) => onChange({ agentIds })}
        title={messages.agents}
      />
      <p className="field-hint">{messages.limitHint}</p>
    </fieldset>
  );
}

interface ChaindeskCheckboxProps {
  readonly draft: Pick<Draft, 'isForChaindesk'>;
  readonly onChange: (changes: Partial<Draft>) => void;
}

function ChaindeskCheckbox({ draft, onChange }: ChaindeskCheckboxProps): ReactNode {
  const messages = useMessages(keysMessages);
  return (
    <Checkbox
      hint={messages.chaindeskHint}
      isChecked={draft.isForChaindesk}
      label={messages.chaindesk}
      onChange={(isForChaindesk) => onChange({ isForChaindesk })}
    />
  );
}

/**
 * Builds the request that creates a key. If no agents are chosen, the key can use all agents; the same applies to
 * datastores.
 */
function buildCreateKeyRequest({
  name,
  scopes,
  agentIds,
  datastoreIds,
  expiry,
  isForChaindesk,
}: Draft): CreateApiKeyRequest {
  return {
    name,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    ...(agentIds.length === 0 ? {} : { agentIds: [...agentIds] }),
    ...(datastoreIds.length === 0 ? {} : { datastoreIds: [...datastoreIds] }),
    expiresAt: computeExpiryTime(expiry, new Date()),
    ...(isForChaindesk ? { compatibility: 'chaindesk' } : {}),
  };
}

interface ExpirySelectProps {
  readonly value: Expiry;
  readonly onChange: (expiry: Expiry) => void;
}

function ExpirySelect({ value, onChange }: ExpirySelectProps): ReactNode {
  const messages = useMessages(keysMessages);
  const { language } = useLanguage();
  return (
    <Select
      label={messages.expires}
      onChange={onChange}
      options={EXPIRIES.map((expiry) => ({
        value: expiry,
        label: expiry === 'never' ? messages.expiresNever : messages.expiresDays(formatDays(language, Number(expiry))),
      }))}
      value={value}
    />
  );
}

interface ScopeChoiceProps {
  readonly scopes: readonly string[];
  /** The scopes of the session's API key. A new key can only have these scopes. */
  readonly granted: readonly string[];
  readonly onChange: (scopes: readonly string[]) => void;
}

function ScopeChoice({ scopes, granted, onChange }: ScopeChoiceProps): ReactNode {
  const messages = useMessages(keysMessages);
  const hints: Readonly<Record<Scope, string>> = {
    query: messages.scopeQuery,
    ingest: messages.scopeIngest,
    manage: messages.scopeManage,
    operate: messages.scopeOperate,
  };
  return (
    <fieldset className="field-group">
      <legend>{messages.scopes}</legend>
      {SCOPES.filter((scope) => granted.includes(scope)).map((scope) => (
        <Checkbox
          hint={hints[scope]}
          isChecked={scopes.includes(scope)}
          key={scope}
          label={scope}
          onChange={(isChecked) => onChange(addOrRemoveItem(scopes, scope, isChecked))}
        />
      ))}
    </fieldset>
  );
}

interface KeyLimitChoiceProps extends Pick<ChoiceListProps, 'chosen' | 'onChange'> {
  readonly title: string;
  readonly list: Required<Pick<ChoiceListProps, 'items' | 'more'>>;
}

function KeyLimitChoice({ title, list: { items, more }, chosen, onChange }: KeyLimitChoiceProps): ReactNode {
  const { number } = useFormats();
  if (items.length === 0) return null;
  return (
    <details className="disclosure">
      <summary>
        {title} {chosen.length > 0 && <span className="numbers">({number(chosen.length)})</span>}
      </summary>
      <ChoiceList chosen={chosen} items={items} label={title} more={more} onChange={onChange} />
    </details>
  );
}

function addOrRemoveItem(items: readonly string[], item: string, isChosen: boolean): readonly string[] {
  return isChosen ? [...items, item] : items.filter((other) => other !== item);
}
