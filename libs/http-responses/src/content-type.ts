export interface ContentType {
  /** Media type in lower case, such as `text/html`. Empty if the response has no header `Content-Type`. */
  readonly mediaType: string;
  readonly charset: string | undefined;
}

/** Parses the header `Content-Type` (RFC 9110, section 8.3). */
export function parseContentType(value: string | undefined): ContentType {
  const [mediaType = '', ...parameters] = (value ?? '').split(';');
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(parameter)?.[1]).find(Boolean);
  return { mediaType: mediaType.trim().toLowerCase(), charset };
}
