import type { EventStream } from '../../../answering/sse.js';
import { isId } from '../../../database/id.js';
import type { Reply } from '../../reply.js';
import { isJsonObject, type Translator } from '../translator.js';
import { percentEncodeFrames } from './percent-encode-frames.js';

/**
 * Percent-encodes the events of a stream, because deployed chat clients decode the data of events. Otherwise, a `%` in
 * an event makes these clients repeat the question endlessly.
 */
export const ANSWER_STREAM: Translator = {
  translateReply: (reply) => translateStream(reply, percentEncodeFrames),
};

/**
 * Translates like `ANSWER_STREAM`. In addition, an unknown conversation id starts a new conversation, because deployed
 * chat clients invent ids.
 */
export const AGENT_QUERY: Translator = {
  ...ANSWER_STREAM,
  translateRequest: (request) => {
    const body: unknown = request.body;
    if (!isJsonObject(body)) return;
    const { conversationId, ...question } = body;
    if (typeof conversationId === 'string' && !isId(conversationId)) request.body = question;
  },
};

/** Translates the server-sent events of a reply. Returns a reply that is not an event stream unchanged. */
function translateStream(reply: Reply, translate: (frames: string) => string): Reply {
  const { content } = reply;
  if (content === undefined || !('stream' in content)) return reply;
  const wrapStream = (stream: EventStream): EventStream => ({
    write: async (frames) => stream.write(translate(frames)),
    end: () => {
      stream.end();
    },
    closed: stream.closed,
  });
  return { ...reply, content: { stream: async (stream) => content.stream(wrapStream(stream)) } };
}
