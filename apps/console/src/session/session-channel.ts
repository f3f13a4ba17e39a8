let channel: BroadcastChannel | undefined;

/**
 * Returns the channel that reports sign-ins and sign-outs to the other tabs of the browser. Each tab has one channel,
 * because a channel does not receive its own messages.
 */
export function getSessionChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel('quarry-session');
  return channel;
}
