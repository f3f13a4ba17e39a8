import { useState, type ReactNode } from 'react';
import '../../components/panel.css';
import { Button } from '../../components/button.js';
import { SystemIcon } from '../../components/icons.js';
import { Select } from '../../components/select.js';
import { useMessages } from '../../language/language-context.js';
import { useModelTestToast } from './connect-model-dialog.js';
import { ConnectionError } from './connection-error.js';
import { modelsMessages } from './messages.js';
import { useConnectModel, useLocalModels, useModelConnections } from './use-models.js';

/**
 * Offers to connect an Ollama server on the machine of Quarry. Renders nothing if no server was found, or if the server
 * is already connected.
 */
export function LocalModelsNotice(): ReactNode {
  const messages = useMessages(modelsMessages);
  const { data: local } = useLocalModels();
  const { data: known } = useModelConnections();
  const isInUse = known?.connections.some(({ baseUrl }) => baseUrl === local?.baseUrl) === true;
  if (local?.status !== 'found' || local.baseUrl === null || known === undefined || isInUse) return null;
  return (
    <section aria-label={messages.localTitle} className="notice">
      <SystemIcon />
      <div>
        {local.models.length === 0 ? (
          messages.localEmpty
        ) : (
          <LocalModelForm baseUrl={local.baseUrl} models={local.models} />
        )}
      </div>
    </section>
  );
}

interface LocalModelFormProps {
  readonly baseUrl: string;
  readonly models: readonly string[];
}

function LocalModelForm({ baseUrl, models }: LocalModelFormProps): ReactNode {
  const messages = useMessages(modelsMessages);
  const announce = useModelTestToast();
  const [model, setModel] = useState(models[0] ?? '');
  const { mutate, isPending, error } = useConnectModel();
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const fields = { baseUrl, model, apiKey: null };
        if (!isPending) mutate({ provider: 'custom', fields }, { onSuccess: announce });
      }}
    >
      <div>
        <strong>{messages.localTitle}</strong>
        <p>{messages.localText}</p>
      </div>
      <div className="local-models">
        <Select
          isLabelHidden
          label={messages.localModel}
          onChange={setModel}
          options={models.map((value) => ({ value, label: value }))}
          value={model}
        />
        <Button isBusy={isPending} kind="primary" type="submit">
          {messages.localUse}
        </Button>
      </div>
      {error !== null && <ConnectionError error={error} provider="custom" />}
    </form>
  );
}
