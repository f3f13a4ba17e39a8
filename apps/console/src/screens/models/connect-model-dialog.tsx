import type { ModelConnectionTest, ModelProvider } from '@quarry/client';
import type { ReactNode } from 'react';
import { Dialog } from '../../components/dialog.js';
import { useToasts } from '../../components/toasts.js';
import { createFormats } from '../../language/formats.js';
import { useMessages } from '../../language/language-context.js';
import { ConnectModelForm } from './connect-model-form.js';
import { modelsMessages } from './messages.js';
import { getProviderName } from './provider-name.js';
import { useModelConnections } from './use-models.js';

interface ConnectModelDialogProps {
  /** The provider to connect. Undefined: the user selects one. */
  readonly provider?: ModelProvider | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Shows a dialog that connects a provider of language models. */
export function ConnectModelDialog({ provider, isOpen, onClose }: ConnectModelDialogProps): ReactNode {
  const messages = useMessages(modelsMessages);
  const announce = useModelTestToast();
  const { data } = useModelConnections();
  const closeAfterConnection = (outcome: ModelConnectionTest): void => {
    announce(outcome);
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={provider === undefined ? messages.connect : messages.connectProvider(getProviderName(provider, messages))}
    >
      <ConnectModelForm
        connections={data?.connections ?? []}
        onClose={onClose}
        onConnected={closeAfterConnection}
        provider={provider}
      />
    </Dialog>
  );
}

/**
 * Returns a function that shows a toast after a successful test, with the model that responded and its response time.
 */
export function useModelTestToast(): (outcome: ModelConnectionTest) => void {
  const { showToast } = useToasts();
  return ({ model, durationMs }) =>
    showToast({
      text: (language) => modelsMessages[language].tested(model, createFormats(language).duration(durationMs)),
    });
}
