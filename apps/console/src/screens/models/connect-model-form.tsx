import {
  QuarryError,
  type ModelConnection,
  type ModelConnections,
  type ModelConnectionTest,
  type ModelProvider,
} from '@quarry/client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { DialogActions } from '../../components/dialog.js';
import { findFieldError } from '../../components/find-field-error.js';
import { componentMessages } from '../../components/messages.js';
import { Select } from '../../components/select.js';
import { TextField } from '../../components/text-field.js';
import { useMessages } from '../../language/language-context.js';
import { buildConnectionFields, hasRequiredFields, type ConnectionInputs } from './build-connection-fields.js';
import { ConnectionError } from './connection-error.js';
import { modelsMessages } from './messages.js';
import { getProviderName } from './provider-name.js';
import { PROVIDERS, useConnectModel } from './use-models.js';

interface ConnectModelFormProps {
  /** The provider to connect. Undefined: the user selects one. */
  readonly provider: ModelProvider | undefined;
  readonly connections: ModelConnections['connections'];
  readonly onConnected: (outcome: ModelConnectionTest) => void;
  readonly onClose: () => void;
}

/**
 * Shows the form for the API key of a provider, and for the address and model of the provider `custom`. Submitting the
 * form tests the connection, and stores the connection if the test succeeds.
 */
export function ConnectModelForm({ provider, connections, onConnected, onClose }: ConnectModelFormProps): ReactNode {
  const messages = useMessages(modelsMessages);
  const { cancel } = useMessages(componentMessages);
  const free = PROVIDERS.filter((one) => findConnection(connections, one)?.source !== 'environment');
  const [chosen, setChosen] = useState<ModelProvider>(provider ?? free[0] ?? 'custom');
  const stored = findConnection(connections, chosen);
  const [inputs, setInputs] = useState(() => createConnectionInputs(stored));
  const { mutate, isPending, error, reset } = useConnectModel();
  const isFieldError = error instanceof QuarryError && error.errors.length > 0;
  const changeInputs = (next: Partial<ConnectionInputs>): void => setInputs({ ...inputs, ...next });
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const draft = { provider: chosen, fields: buildConnectionFields(chosen, inputs, stored) };
        if (!isPending) mutate(draft, { onSuccess: onConnected });
      }}
    >
      {provider === undefined && (
        <Select
          label={messages.provider}
          onChange={(next) => {
            setChosen(next);
            setInputs(createConnectionInputs(findConnection(connections, next)));
            reset();
          }}
          options={free.map((value) => ({ value, label: getProviderName(value, messages) }))}
          value={chosen}
        />
      )}
      {chosen === 'custom' && <ModelServerFields error={error} inputs={inputs} onChange={changeInputs} />}
      <TextField
        autoComplete="off"
        error={findFieldError(error, 'apiKey')}
        hint={getKeyHint(messages, chosen, stored)}
        isCode
        isOptional={chosen === 'custom'}
        label={messages.key}
        onChange={(apiKey) => changeInputs({ apiKey })}
        spellCheck={false}
        type="password"
        value={inputs.apiKey}
      />
      {error !== null && !isFieldError && <ConnectionError error={error} provider={chosen} />}
      <DialogActions>
        <Button onClick={onClose}>{cancel}</Button>
        <Button disabled={!hasRequiredFields(chosen, inputs, stored)} isBusy={isPending} kind="primary" type="submit">
          {messages.testAndSave}
        </Button>
      </DialogActions>
    </form>
  );
}

function findConnection(
  connections: ModelConnections['connections'],
  provider: ModelProvider,
): ModelConnection | undefined {
  return connections.find((one) => one.provider === provider);
}

function createConnectionInputs(stored: ModelConnection | undefined): ConnectionInputs {
  return { apiKey: '', baseUrl: stored?.baseUrl ?? '', model: stored?.model ?? '' };
}

function getKeyHint(
  messages: (typeof modelsMessages)['en'],
  provider: ModelProvider,
  stored: ModelConnection | undefined,
): string {
  if (stored !== undefined) return messages.keyKept;
  return provider === 'custom' ? messages.noKey : messages.keyHint;
}

interface ModelServerFieldsProps {
  readonly inputs: ConnectionInputs;
  readonly error: unknown;
  readonly onChange: (next: Partial<ConnectionInputs>) => void;
}

function ModelServerFields({ inputs, error, onChange }: ModelServerFieldsProps): ReactNode {
  const messages = useMessages(modelsMessages);
  return (
    <>
      <TextField
        error={findFieldError(error, 'baseUrl')}
        hint={messages.addressHint}
        inputMode="url"
        isCode
        label={messages.address}
        onChange={(baseUrl) => onChange({ baseUrl })}
        placeholder="http://"
        required
        value={inputs.baseUrl}
      />
      <TextField
        error={findFieldError(error, 'model')}
        hint={messages.modelHint}
        isCode
        label={messages.model}
        onChange={(model) => onChange({ model })}
        required
        value={inputs.model}
      />
    </>
  );
}
