/** Wakes one waiter. A wake-up without a waiter is kept for the next one, so that none is lost. */
export interface Signal {
  wake(): void;
  /** Resolves when woken, or after `timeoutMs`. */
  wait(timeoutMs: number): Promise<void>;
}

export function createSignal(): Signal {
  let pending = false;
  let release: (() => void) | undefined;
  return {
    wake: () => {
      pending = true;
      release?.();
    },
    wait: async (timeoutMs) => {
      if (!pending) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        release = undefined;
      }
      pending = false;
    },
  };
}
