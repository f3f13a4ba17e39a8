/** Remembers what has to be closed. */
export type OnClose = (close: () => Promise<void> | void) => void;

/** What was opened, to be closed in the opposite order. */
export interface Closing {
  readonly onClose: OnClose;
  /** Closes everything, also when some of it fails. @throws the failures together */
  readonly closeAll: () => Promise<void>;
}

export function rememberToClose(): Closing {
  const opened: (() => Promise<void> | void)[] = [];
  return {
    onClose: (close) => {
      opened.push(close);
    },
    closeAll: async () => {
      const failures: unknown[] = [];
      for (let close = opened.pop(); close !== undefined; close = opened.pop()) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be closed');
    },
  };
}
