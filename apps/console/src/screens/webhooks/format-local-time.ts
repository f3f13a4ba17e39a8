/**
 * Formats a time for a field of the type `datetime-local`, such as `2026-11-23T21:05`, in the time zone of the user.
 */
export function formatLocalTime(time: Date): string {
  const pad = (value: number): string => String(value).padStart(2, '0');
  const date = [time.getFullYear(), pad(time.getMonth() + 1), pad(time.getDate())].join('-');
  return `${date}T${pad(time.getHours())}:${pad(time.getMinutes())}`;
}
