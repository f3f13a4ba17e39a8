import type { ComponentProps, ReactNode } from 'react';

export interface FileInputProps extends Omit<ComponentProps<'input'>, 'hidden' | 'onChange' | 'type' | 'value'> {
  /** Receives the chosen files. The list is valid only during the call. */
  readonly onFiles: (files: FileList) => void;
}

/**
 * Renders a hidden control for choosing files. A button of the console opens the file dialog, because the control has a
 * text in the browser's language.
 */
export function FileInput({ onFiles, ...attributes }: FileInputProps): ReactNode {
  return (
    <input
      {...attributes}
      hidden
      onChange={({ target }) => {
        if (target.files !== null) onFiles(target.files);
        // Without this reset, choosing the same files again would emit no event.
        target.value = '';
      }}
      type="file"
    />
  );
}
