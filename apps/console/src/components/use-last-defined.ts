import { useState } from 'react';

/** Returns the value, or the last defined value if it is undefined. A dialog thus keeps its content while it closes. */
export function useLastDefined<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}
