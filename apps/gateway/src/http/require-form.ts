import type { RequestHandler } from 'express';
import { problem } from '../problems.js';

/** Lets on only a form that can hold a file. @throws Problem 415 */
export const requireForm: RequestHandler = (request, _response, next) => {
  if (typeof request.is('multipart/form-data') !== 'string') {
    const found = request.get('content-type') ?? 'none';
    throw problem('unsupported_media_type', `A file is sent as multipart/form-data, found the content type ${found}.`);
  }
  next();
};
