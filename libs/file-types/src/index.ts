export {
  FILE_TYPES,
  findTypeOfMediaType,
  findTypeOfName,
  isTextType,
  MEDIA_TYPES,
  type FileType,
  type MediaType,
} from './file-types.js';
