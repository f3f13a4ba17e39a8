import { FOLDER_SEPARATOR } from '../../components/path-name.js';
import type { ChosenFile } from './upload-queue.js';

/** Matches the names of files that operating systems add to folders. These files are not uploaded. */
const IGNORED_NAMES = /^(\.DS_Store|Thumbs\.db|desktop\.ini|\._.*)$/i;

/** Returns the dropped files, including the files in dropped folders. */
export async function readDroppedFiles({ items }: DataTransfer): Promise<readonly ChosenFile[]> {
  // The browser invalidates the items after the first `await`, so the entries of all items are read before it.
  const entries = [...items].flatMap((item) => {
    if (item.kind !== 'file') return [];
    const entry = item.webkitGetAsEntry();
    return entry === null ? [] : [entry];
  });
  const files: ChosenFile[] = [];
  for (const entry of entries) await addFilesOfEntry(entry, files);
  return files;
}

/** Lists the chosen files. If the user chose a folder, the name of a file begins with the name of the folder. */
export function listChosenFiles(list: Iterable<File>): readonly ChosenFile[] {
  return [...list]
    .filter(({ name }) => !IGNORED_NAMES.test(name))
    .map((file) => ({
      file,
      name: formatFileName(file.webkitRelativePath === '' ? file.name : file.webkitRelativePath),
    }));
}

/** Formats a path as a name with a separator that the API keeps, because the API removes everything before a slash. */
function formatFileName(path: string): string {
  return path.replaceAll('/', FOLDER_SEPARATOR);
}

/** Appends to `files` the file of an entry, or all files in an entry that is a directory. */
async function addFilesOfEntry(entry: FileSystemEntry, files: ChosenFile[]): Promise<void> {
  if (isDirectoryEntry(entry)) {
    const reader = entry.createReader();
    // The directory reader returns the entries in several parts. An empty part marks the end.
    for (let part = await readNextEntries(reader); part.length > 0; part = await readNextEntries(reader)) {
      for (const child of part) await addFilesOfEntry(child, files);
    }
  } else if (isFileEntry(entry) && !IGNORED_NAMES.test(entry.name)) {
    const file = await new Promise<File>((resolve, reject) => {
      entry.file(resolve, reject);
    });
    files.push({ file, name: formatFileName(entry.fullPath.replace(/^\//, '')) });
  }
}

async function readNextEntries(reader: FileSystemDirectoryReader): Promise<readonly FileSystemEntry[]> {
  return new Promise((resolve, reject) => {
    reader.readEntries(resolve, reject);
  });
}

function isDirectoryEntry(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFileEntry(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
