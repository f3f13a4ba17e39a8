import type { ComponentProps, ReactNode } from 'react';

export interface FileInputProps extends Omit<ComponentProps<'input'>, 'hidden' | 'onChange' | 'type' | 'value'> {
  /** Receives the chosen files. The list is valid only during the call. */
  readonly onFiles: (files: FileList) => void;
}

/**
 * Renders a hidden `<input type="file">`. Callers show a button that opens its file dialog, because the text of the
 * native control is in the language of the browser.
 */
export function FileInput({ onFiles, ...attributes }: FileInputProps): ReactNode {
  return (
    <input
      {...attributes}
      hidden
      onChange={({ target }) => {
        if (target.files !== null) onFiles(target.files);
        // Without this reset, the browser emits no event if the user chooses the same files again.
        target.value = '';
      }}
      type="file"
    />
  );
}
