const REQUIRED_MAJOR = 24;

/** Returns the reason why a version of Node is not supported. Returns undefined for a supported version. */
export function describeUnsupportedNode(version: string): string | undefined {
  const major = Number(/^v(\d+)\./.exec(version)?.[1]);
  if (major === REQUIRED_MAJOR) return undefined;
  return `Quarry runs on Node ${REQUIRED_MAJOR}, found ${version}. Quarry brings its own Node: run npm start, or node_modules/.bin/node.`;
}

/**
 * Ends this process with a message if its version of Node is not supported. Without this check, native modules would
 * fail later, with less clear errors.
 */
export function exitOnUnsupportedNode(): void {
  const problem = describeUnsupportedNode(process.version);
  if (problem === undefined) return;
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
