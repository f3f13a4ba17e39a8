/** Prefix of the media types of office files. Source: ECMA-376, part 1, annex A. */
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Lists the supported file types with their media types. Source: docs/interface.md#supported-mime-types. */
const TYPES = {
  csv: { mediaType: 'text/csv', aliases: ['application/csv', 'text/x-csv'], extensions: ['csv'] },
  txt: { mediaType: 'text/plain', aliases: [], extensions: ['txt'] },
  md: { mediaType: 'text/markdown', aliases: ['text/x-markdown'], extensions: ['md', 'markdown'] },
  pdf: { mediaType: 'application/pdf', aliases: ['application/x-pdf'], extensions: ['pdf'] },
  json: { mediaType: 'application/json', aliases: ['text/json'], extensions: ['json'] },
  pptx: { mediaType: `${OFFICE}.presentationml.presentation`, aliases: [], extensions: ['pptx'] },
  docx: { mediaType: `${OFFICE}.wordprocessingml.document`, aliases: [], extensions: ['docx'] },
  xlsx: { mediaType: `${OFFICE}.spreadsheetml.sheet`, aliases: [], extensions: ['xlsx'] },
} as const satisfies Record<string, FileTypeDescription>;

interface FileTypeDescription {
  readonly mediaType: string;
  /** Other media types that clients and web servers send for the file type. */
  readonly aliases: readonly string[];
  /** File name extensions in lower case, without the dot. */
  readonly extensions: readonly string[];
}

export type FileType = keyof typeof TYPES;
export type MediaType = (typeof TYPES)[FileType]['mediaType'];

export const FILE_TYPES = Object.keys(TYPES) as readonly FileType[]; // the table has no other keys

/** Maps each file type to its media type. */
export const MEDIA_TYPES = mapFileTypes((type) => TYPES[type].mediaType) as {
  readonly [Type in FileType]: (typeof TYPES)[Type]['mediaType'];
};

const BY_MEDIA_TYPE = indexFileTypesBy(({ mediaType, aliases }) => [mediaType, ...aliases]);
const BY_EXTENSION = indexFileTypesBy(({ extensions }) => extensions);
/** Lists the file types whose content can be any text. */
const TEXT_TYPES: readonly FileType[] = ['csv', 'txt', 'md', 'json'];

/**
 * Returns the file type of a media type or of an alias of a media type. Undefined: the media type is not supported.
 *
 * @param mediaType in lower case, without parameters
 */
export function findTypeOfMediaType(mediaType: string): FileType | undefined {
  return BY_MEDIA_TYPE.get(mediaType);
}

/** Returns the file type for the extension of a file name. Undefined: the extension is missing or not supported. */
export function findTypeOfName(name: string): FileType | undefined {
  return BY_EXTENSION.get(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}

/** Returns true if the content of a file type is text. Text types cannot be distinguished by their content. */
export function isTextType(type: FileType): boolean {
  return TEXT_TYPES.includes(type);
}

function mapFileTypes<T>(getValue: (type: FileType) => T): Record<string, T> {
  return Object.fromEntries(FILE_TYPES.map((type) => [type, getValue(type)]));
}

function indexFileTypesBy(
  keys: (description: FileTypeDescription) => readonly string[],
): ReadonlyMap<string, FileType> {
  return new Map(FILE_TYPES.flatMap((type) => keys(TYPES[type]).map((key) => [key, type] as const)));
}
