/**
 * Exits with an explanation if the command line has arguments, so that nobody believes that an ignored argument has an
 * effect.
 *
 * @param command the command as the user types it, such as `npm start`
 * @param advice what the user can do instead
 */
export function refuseArguments(command, advice) {
  const found = process.argv.slice(2);
  if (found.length === 0) return;
  console.error(`expected no arguments of ${command}, found: ${found.join(' ')}. ${advice}`);
  process.exit(2);
}
