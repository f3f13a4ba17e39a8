import { useState } from 'react';

/** Returns the last value that was defined, so that a dialog keeps its content while it closes. */
export function useLastDefined<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
