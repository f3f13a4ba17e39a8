import type { ComponentProps, ReactNode } from 'react';

export interface FileInputProps extends Omit<ComponentProps<'input'>, 'hidden' | 'onChange' | 'type' | 'value'> {
  /** Receives the chosen files. The list is valid only during the call. */
  readonly onFiles: (files: FileList) => void;
}

/**
 * Renders a hidden control for choosing files. A button opens its dialog, because the text of the control is in the
 * browser's language.
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
