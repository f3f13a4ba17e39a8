import { useState } from 'react';

/**
 * Returns the value if it is defined; otherwise the last defined value of an earlier render. A dialog thus keeps its
 * content while it closes.
 */
export function useLastDefined<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
