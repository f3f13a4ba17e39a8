import { isJsonObject, translateJsonReply, type Translator } from '../translator.js';

/** Copies the fields of the organization, such as its name, to the top level of the response. */
export const ME: Translator = {
  translateReply: (reply) =>
    translateJsonReply(reply, (body) => {
      const organization = isJsonObject(body) ? body['organization'] : undefined;
      return isJsonObject(body) && isJsonObject(organization) ? { ...organization, ...body } : body;
    }),
};
