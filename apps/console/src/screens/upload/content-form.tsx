import { QuarryError } from '@quarry/client';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { refreshQueries } from '../../api/refresh-queries.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useToasts } from '../../components/toasts.js';
import { useMessages } from '../../language/language-context.js';
import { useOpenScreen } from '../../routing/screen-link.js';
import { uploadMessages } from './messages.js';

/** The id and name of the datasource that a form has created. */
export interface AddedDatasource {
  readonly id: string;
  readonly name: string;
}

type ContentAddition = Pick<UseMutationResult<AddedDatasource>, 'isPending' | 'error' | 'reset'> & {
  readonly add: () => void;
};

/** Returns a function that creates a datasource, and then opens its screen if the form is still shown. */
export function useAddContent(create: () => Promise<AddedDatasource>): ContentAddition {
  const queries = useQueryClient();
  const openScreen = useOpenScreen();
  const { showToast } = useToasts();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async () => create(),
    onSuccess: ({ name }) => {
      showToast({ text: (language) => uploadMessages[language].added(name) });
      refreshQueries(queries, { queryKey: ['datasources', 'list'] });
    },
  });
  // React Query calls this function only if the form is still shown.
  const open = ({ id }: AddedDatasource): void => openScreen({ to: 'datasource', parameters: { datasourceId: id } });
  return { add: () => mutate(undefined, { onSuccess: open }), isPending, error, reset };
}

export interface ContentFormProps {
  readonly children: ReactNode;
  readonly isComplete: boolean;
  readonly isBusy: boolean;
  readonly error: Error | null;
  /**
   * Called when the user edits a field while `error` is shown. It removes the error, which refers to the old values.
   */
  readonly onEdit: () => void;
  readonly onSubmit: () => void;
  /** Another button beside the button that adds the content. */
  readonly otherAction?: ReactNode;
}

/** Shows a form that adds content: its fields, its button, and an error that refers to none of the fields. */
export function ContentForm({ children, isComplete, isBusy, error, ...rest }: ContentFormProps): ReactNode {
  const { onEdit, onSubmit, otherAction } = rest;
  const messages = useMessages(uploadMessages);
  const isFieldError = error instanceof QuarryError && error.errors.length > 0;
  return (
    <form
      className="form upload-form"
      onChange={() => {
        if (error !== null) onEdit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !isBusy) onSubmit();
      }}
    >
      {children}
      {error !== null && !isFieldError && <ErrorNotice error={error} />}
      <div className="form-actions">
        <Button disabled={!isComplete} isBusy={isBusy} kind="primary" type="submit">
          {messages.add}
        </Button>
        {otherAction}
      </div>
    </form>
  );
}

/** Returns the fields of a form with trimmed values, without empty fields. */
export function omitEmptyFields(fields: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  );
}
