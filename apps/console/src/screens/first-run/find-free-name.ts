/** Returns the name. If the name is in use, appends the lowest free number from 2, such as `My documents 2`. */
export function findFreeName(name: string, used: readonly string[]): string {
  const names = new Set(used.map((other) => other.trim().toLowerCase()));
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (!names.has(candidate.toLowerCase())) return candidate;
  }
}
